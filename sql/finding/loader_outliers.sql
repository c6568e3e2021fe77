-- Are there batches that took much longer than the others?
--
-- Waits of at least twice the median, first batches of a pass left out of both.
--
-- empty   there are no runs
--
-- param   ratio  double = 0.05  share of such waits above which this is said
--
-- cause    slow files, stalls of the storage, pauses of the machine
-- remedy   look at the windows of `loader.slow_batches` beside the load of the machine
-- limits   2 times the median smdebug, 0.05 is ours
-- evidence loader.slow_batches, loader.jitter
--
-- needs   evidence_batch

SELECT
  run,
  outlier_ratio AS value,
  $ratio AS threshold,
  CASE WHEN outlier_ratio > $ratio THEN 'notice' END AS severity,
  batches AS steps,
  outlier_load AS potential_saving,
  gpu_busy,
  outliers || ' of ' || rest || ' waits take at least twice the median' AS found,
  'fine: ' || outliers || ' of ' || rest || ' waits take at least twice the median' AS passed,
  CASE WHEN outlier_ratio IS NULL THEN 'needs the time of each batch from the start of the epoch; record it with `tracelake record` or LoaderProfiler' END AS missing
FROM evidence_batch
