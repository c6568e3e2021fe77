-- Is data there before it is asked for?
--
-- A good sign, never an accusation: at least `ratio` of the waits are shorter than 50 us, because prefetch is ahead of training.
--
-- empty   there are no runs
--
-- param   ratio  double = 0.95  share of waits of at most 50 us from which data counts as ready
--
-- cause    prefetch is ahead of training
-- remedy   nothing: leave the loader alone
-- limits   50 us tf.data, 0.95 is ours
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
    WHEN ready >= $ratio THEN 'fine: ' || round(100 * ready, 1) || ' % of the batches are there within 50 us'
    ELSE round(100 * ready, 1) || ' % of the batches are there within 50 us: data is not always ahead'
  END AS passed,
  CASE WHEN ready IS NULL THEN 'needs the time of each batch from the start of the epoch; record it with `tracelake record` or LoaderProfiler' END AS missing
FROM evidence_batch
