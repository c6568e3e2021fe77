-- Does a GPU have little to do?
--
-- smdebug's rule LowGPUUtilization: the 95th percentile of the last 500 values of a GPU, at the end of a minute and after `patience` values,
-- lies below `limit`. Of all GPUs and minutes it is the least (view `evidence_minute`). Minutes at the end of a run, when nothing is
-- trained any more, count too.
--
-- empty   there are no runs
--
-- param   limit     double = 0.7         95th percentile of the utilization below which a GPU is underused
-- param   patience  bigint >= 0 = 1000   values that there must be more than
--
-- cause    too little work for the GPU: small batches, a small model, waiting for something else
-- remedy   a larger batch or a smaller machine; first see whether loading or the host holds it up
-- limits   0.7 after 1000 values, smdebug's rule LowGPUUtilization
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
  CAST(NULL AS boolean) AS gpu_busy,
  'for ' || least(w.n, 500) || ' samples ' || w.gpu || ' was hardly ever busier than ' || round(w.p95, 1) || ' % (95th percentile)' AS found,
  'fine: even in the quietest ' || least(w.n, 500) || ' samples, those of ' || w.gpu || ', a GPU reached ' || round(w.p95, 1)
  || ' % (95th percentile)' AS passed,
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
