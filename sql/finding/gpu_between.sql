-- Is GPU utilization neither low nor high?
--
-- PyTorch's tutorial calls GPU utilization below `low` a problem and above `target` the goal. It does not rate the values in between, which include
-- both limits. This finding reports such a value without rating it. GPU utilization is that of view `evidence_gpu`.
--
-- empty   there are no runs
--
-- param   low     double in 0..1 = 0.5  GPU utilization below which the GPU counts as idle
-- param   target  double in 0..1 = 0.8  GPU utilization above which the GPU counts as busy
--
-- cause    not known from GPU utilization alone
-- remedy   check the findings on loading, copies and kernels
-- limits   0.5 low (PyTorch's tutorial); 0.8 target (PyTorch's tutorial)
-- evidence utilization.summary, kernel.occupancy
--
-- needs   evidence_gpu

SELECT
  run,
  gpu_utilization AS value,
  $target AS threshold,
  CASE WHEN gpu_utilization BETWEEN $low AND $target THEN 'notice' END AS severity,
  readings AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'GPU utilization is ' || round(100 * gpu_utilization, 1) || ' %, between the low limit of ' || round(100 * $low, 1)
  || ' % and the target of ' || round(100 * $target, 1) || ' %' AS found,
  CASE
    WHEN gpu_utilization > $target THEN 'GPU utilization is ' || round(100 * gpu_utilization, 1) || ' %'
    ELSE 'GPU utilization is ' || round(100 * gpu_utilization, 1) || ' %, below the low limit of ' || round(100 * $low, 1) || ' %'
  END AS passed,
  CASE
    WHEN gpu_utilization IS NULL THEN 'needs samples of the GPU; record them with `tracelake record`, or take a trace with its kernels'
  END AS missing
FROM evidence_gpu
