-- Does a GPU change between busy and idle?
--
-- smdebug's rule LowGPUUtilization: of the last 500 values of a GPU, at the end of a minute and after `patience` values, the 95th percentile lies above
-- `busy` and the 5th below `limit`. Of all GPUs and such minutes it is the one with the least 5th percentile (view `evidence_minute`).
--
-- empty   there are no runs
--
-- param   limit     double = 0.1         5th percentile of the utilization below which a GPU that is busy at other times fluctuates
-- param   busy      double = 0.7         95th percentile above which it is busy at other times
-- param   patience  bigint >= 0 = 1000   values that there must be more than
--
-- cause    stalls between steps: waiting for data, checkpoints, validation, other ranks
-- remedy   read it with load_share_high and checkpoint_stalls
-- limits   0.1 and 0.7 after 1000 values, smdebug's rule LowGPUUtilization
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
  CAST(NULL AS boolean) AS gpu_busy,
  'within ' || least(w.n, 500) || ' samples ' || w.gpu || ' goes from ' || round(w.p5, 1) || ' % to ' || round(w.p95, 1)
  || ' % (5th and 95th percentile)' AS found,
  CASE
    WHEN w.p5 IS NULL
      THEN 'fine: no GPU was busy enough to fluctuate; the 95th percentile never was above ' || round(100 * $busy) || ' %'
    ELSE
      'fine: where a GPU was busy, it had at least ' || round(w.p5, 1) || ' % of work all the time (5th percentile)'
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
