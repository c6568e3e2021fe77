-- Does a GPU have little work?
--
-- This is smdebug's rule LowGPUUtilization, evaluated at the end of each minute once there are more than `patience` values: the 95th percentile of
-- the last 500 values of a GPU is below `limit`. The value is the minimum over all GPUs and minutes (view `evidence_minute`). Minutes at the end of a
-- run, after training has ended, count too.
--
-- empty   there are no runs
--
-- param   limit     double in 0..1 = 0.7  95th percentile of utilization below which a GPU is underused
-- param   patience  bigint in 0.. = 1000  number of values; more than this many are required
--
-- cause    too little work for the GPU: small batches, a small model, or waiting for something else
-- remedy   increase the batch size or use a smaller machine; first check whether loading or the host limits the GPU
-- limits   0.7 limit (smdebug's rule LowGPUUtilization); 1000 patience (smdebug's rule LowGPUUtilization)
-- evidence rules.low_gpu_utilization, utilization.over_time
--
-- needs   evidence_machine, evidence_minute

SELECT
  m.run,
  w.p95 / 100 AS value,
  $limit AS threshold,
  CASE WHEN w.p95 / 100 < $limit THEN 'warning' END AS severity,
  m.readings AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  'load_share_high' AS explained_by,
  CAST(NULL AS boolean) AS gpu_busy,
  'within ' || least(w.n, 500) || ' samples the utilization of ' || w.gpu || ' was rarely above ' || round(w.p95, 1)
  || ' % (95th percentile; limit: ' || round(100 * $limit, 1) || ' %)' AS found,
  w.gpu || ', the least busy GPU, reached ' || round(w.p95, 1) || ' % within its least busy ' || least(w.n, 500)
  || ' samples (95th percentile)' AS passed,
  CASE
    WHEN m.gpus IS NULL THEN 'needs samples of the GPU; record them with `tracelake record`'
    WHEN w.p95 IS NULL
      THEN 'needs more than ' || $patience || ' samples of a GPU, and there are ' || m.readings || '; record for longer with `tracelake record`'
  END AS missing
FROM evidence_machine AS m
LEFT JOIN (
  SELECT *, row_number() OVER (PARTITION BY run ORDER BY p95, gpu, ts) AS place
  FROM evidence_minute
  WHERE n > $patience
) AS w ON w.run = m.run AND w.place = 1
