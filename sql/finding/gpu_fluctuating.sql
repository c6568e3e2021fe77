-- Does a GPU alternate between busy and idle?
--
-- This is smdebug's rule LowGPUUtilization, evaluated at the end of each minute once there are more than `patience` values. Of the last 500 values of
-- a GPU, the 95th percentile is above `busy` and the 5th percentile is below `limit`. The value is the minimum 5th percentile over all GPUs and
-- minutes in which the 95th percentile is above `busy` (view `evidence_minute`).
--
-- empty   there are no runs
--
-- param   limit     double in 0..1 = 0.1  5th percentile of utilization below which a GPU that is busy at other times fluctuates
-- param   busy      double in 0..1 = 0.7  95th percentile of utilization above which the GPU is busy at other times
-- param   patience  bigint in 0.. = 1000  number of values; more than this many are required
--
-- cause    stalls between steps: waiting for data, checkpoints, validation, other ranks
-- remedy   check load_share_high and checkpoint_stalls
-- limits   0.1 limit (smdebug's rule LowGPUUtilization); 0.7 busy (smdebug's rule LowGPUUtilization); 1000 patience (smdebug's rule LowGPUUtilization)
-- evidence rules.low_gpu_utilization, utilization.over_time
--
-- needs   evidence_machine, evidence_minute

SELECT
  m.run,
  w.p5 / 100 AS value,
  $limit AS threshold,
  CASE WHEN w.p5 / 100 < $limit THEN 'notice' END AS severity,
  m.readings AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  'load_share_high' AS explained_by,
  CAST(NULL AS boolean) AS gpu_busy,
  'within ' || least(w.n, 500) || ' samples the utilization of ' || w.gpu || ' varies from ' || round(w.p5, 1) || ' % to ' || round(w.p95, 1)
  || ' % (5th and 95th percentile; limits: ' || round(100 * $limit, 1) || ' % and ' || round(100 * $busy, 1) || ' %)' AS found,
  CASE
    WHEN w.p5 IS NULL
      THEN 'no GPU was busy enough to fluctuate: the 95th percentile of its utilization was never above ' || round(100 * $busy) || ' %'
    ELSE
      'when a GPU was busy, its utilization was at least ' || round(w.p5, 1) || ' % (5th percentile)'
  END AS passed,
  CASE
    WHEN m.gpus IS NULL THEN 'needs samples of the GPU; record them with `tracelake record`'
    WHEN m.readings <= $patience
      THEN 'needs more than ' || $patience || ' samples of a GPU, and there are ' || m.readings || '; record for longer with `tracelake record`'
  END AS missing
FROM evidence_machine AS m
LEFT JOIN (
  SELECT *, row_number() OVER (PARTITION BY run ORDER BY p5, gpu, ts) AS place
  FROM evidence_minute
  WHERE n > $patience AND p95 > 100 * $busy
) AS w ON w.run = m.run AND w.place = 1
