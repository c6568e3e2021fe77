-- Does a GPU change between busy and idle?
--
-- smdebug's rule LowGPUUtilization: of the last 500 values of a GPU, at the end of a minute and after 1000 values, the 95th percentile lies above
-- 70 percent and the 5th below `limit`. Of all GPUs and such minutes it is the one with the least 5th percentile (view `evidence_machine`).
--
-- empty   there are no runs
--
-- param   limit  double = 0.1  5th percentile of the utilisation below which a GPU that is busy at other times fluctuates
--
-- cause    stalls between steps: waiting for data, checkpoints, validation, other ranks
-- remedy   read it with load_share_high and checkpoint_stalls
-- limits   0.1 and 0.7 after 1000 values, smdebug's rule LowGPUUtilization
-- evidence rules.low_gpu_utilization, utilization.over_time
--
-- needs   evidence_machine

SELECT
  run,
  unsteady_p5 AS value,
  $limit AS threshold,
  CASE WHEN unsteady_p5 < $limit THEN 'notice' END AS severity,
  readings AS steps,
  CAST(NULL AS bigint) AS at_stake,
  CAST(NULL AS boolean) AS gpu_busy,
  'within 500 samples ' || unsteady_gpu || ' goes from ' || round(100 * unsteady_p5, 1) || ' % to ' || round(100 * unsteady_p95, 1)
  || ' % (5th and 95th percentile)' AS said,
  CASE
    WHEN unsteady_p5 IS NULL
      THEN 'fine: no GPU was busy enough to fluctuate; the 95th percentile never was above 70 %'
    ELSE
      'fine: where a GPU was busy, it had at least ' || round(100 * unsteady_p5, 1) || ' % of work all the time (5th percentile)'
  END AS clear,
  CASE
    WHEN gpus IS NULL THEN 'needs samples of the GPU; record them with `tracelake record`'
    WHEN low_p95 IS NULL
      THEN 'needs more than 1000 samples of a GPU, and there are ' || readings || '; record for longer with `tracelake record`'
  END AS missing
FROM evidence_machine
