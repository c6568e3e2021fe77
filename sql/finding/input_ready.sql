-- Is data ready before the loop requests it?
--
-- The value is the share of waits of at most 50 us. From `ratio` on, data is ready in time because prefetching is ahead of training. This finding is
-- for information only: its outcome is `passed` or `no_data`, never `found`. A low share is not a problem by itself; `load_share_high` checks whether
-- the waits slow training down.
--
-- empty   there are no runs
--
-- param   ratio  double in 0..1 = 0.95  share of waits of at most 50 us from which data counts as ready
--
-- cause    none: this finding is for information only
-- remedy   none; see load_share_high if training waits for data
-- limits   0.95 ratio (our own); 50 us wait (tf.data)
-- evidence loader.batches, loader.jitter
--
-- needs   evidence_batch

SELECT
  run,
  ready AS value,
  $ratio AS threshold,
  CAST(NULL AS text) AS severity,
  batches AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  gpu_busy,
  CAST(NULL AS text) AS found,
  CASE
    WHEN ready >= $ratio THEN round(100 * ready, 1) || ' % of the batches are ready within 50 us'
    ELSE round(100 * ready, 1) || ' % of the batches are ready within 50 us: prefetching is not always ahead of training'
  END AS passed,
  CASE
    WHEN ready IS NULL
      THEN 'needs the wait for each batch; record it with `tracelake record`, LoaderProfiler or a trace that shows the DataLoader'
  END AS missing
FROM evidence_batch
