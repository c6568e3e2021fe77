-- Is data ready before the loop requests it?
--
-- This is a good sign and never a problem: at least `ratio` of the waits are at most 50 us, because prefetching is ahead of training.
--
-- empty   there are no runs
--
-- param   ratio  double = 0.95  share of waits of at most 50 us from which data counts as ready
--
-- cause    prefetching is ahead of training
-- remedy   do not change the loader
-- limits   50 us tf.data, 0.95 our own
-- evidence loader.batches, loader.jitter
--
-- needs   evidence_batch

SELECT
  run,
  ready AS value,
  $ratio AS threshold,
  CASE WHEN ready < 0 THEN 'notice' END AS severity, -- never: it is a good sign
  batches AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  gpu_busy,
  '' AS found,
  CASE
    WHEN ready >= $ratio THEN round(100 * ready, 1) || ' % of the batches are ready within 50 us'
    ELSE round(100 * ready, 1) || ' % of the batches are ready within 50 us: prefetching is not always ahead'
  END AS passed,
  CASE WHEN ready IS NULL THEN 'needs the time of each batch from the start of the epoch; record it with `tracelake record` or LoaderProfiler' END AS missing
FROM evidence_batch
