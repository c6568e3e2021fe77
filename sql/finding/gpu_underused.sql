-- Does a GPU have little to do?
--
-- smdebug's rule LowGPUUtilization: the 95th percentile of the last 500 values of a GPU, at the end of a minute and after 1000 values,
-- lies below `limit`. Of all GPUs and minutes it is the least (view `evidence_machine`). Minutes at the end of a run, when nothing is
-- trained any more, count too.
--
-- empty   there are no runs
--
-- param   limit  double = 0.7  95th percentile of the utilisation below which a GPU is underused
--
-- cause    too little work for the GPU: small batches, a small model, waiting for something else
-- remedy   a larger batch or a smaller machine; first see whether loading or the host holds it up
-- limits   0.7 after 1000 values, smdebug's rule LowGPUUtilization
-- evidence rules.low_gpu_utilization, utilization.over_time
--
-- needs   evidence_machine

SELECT
  run,
  low_p95 AS value,
  $limit AS threshold,
  CASE WHEN low_p95 < $limit THEN 'warning' END AS severity,
  readings AS steps,
  CAST(NULL AS bigint) AS at_stake,
  CAST(NULL AS boolean) AS gpu_busy,
  'for 500 samples ' || low_gpu || ' was hardly ever busier than ' || round(100 * low_p95, 1) || ' % (95th percentile)' AS said,
  'fine: even in the quietest 500 samples, those of ' || low_gpu || ', a GPU reached ' || round(100 * low_p95, 1)
  || ' % (95th percentile)' AS clear,
  CASE
    WHEN gpus IS NULL THEN 'needs samples of the GPU; record them with `tracelake record`'
    WHEN low_p95 IS NULL
      THEN 'needs more than 1000 samples of a GPU, and there are ' || readings || '; record for longer with `tracelake record`'
  END AS missing
FROM evidence_machine
