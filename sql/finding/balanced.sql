-- Is the GPU busy most of the time?
--
-- GPU utilization is that of view `evidence_gpu`. Above `target`, data loading does not limit training, even if the share of waiting is large.
-- If it was computed from kernels, computing kernels alone must be above `target`: a GPU that waits in a collective is not busy. This finding is
-- a good sign, not a problem. Its severity is always notice.
--
-- empty   there are no runs
--
-- param   target  double in 0..1 = 0.8  GPU utilization above which the GPU counts as busy
--
-- cause    none: the GPU is busy most of the time
-- remedy   do not change the loader; optimize the model and its kernels
-- limits   0.8 target (PyTorch's tutorial)
-- evidence utilization.summary, kernel.occupancy
--
-- needs   evidence_gpu

SELECT
  run,
  gpu_utilization AS value,
  $target AS threshold,
  CASE WHEN gpu_utilization > $target AND coalesce(kernel_ratio > $target, true) THEN 'notice' END AS severity,
  readings AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'GPU utilization is ' || round(100 * gpu_utilization, 1) || ' %, above the target of ' || round(100 * $target, 1) || ' %' AS found,
  CASE
    WHEN gpu_utilization > $target
      THEN
        'GPU utilization is ' || round(100 * gpu_utilization, 1) || ' %, but kernels compute for only ' || round(100 * kernel_ratio, 1)
        || ' % of the time; communication keeps it busy for the rest'
    ELSE 'GPU utilization is ' || round(100 * gpu_utilization, 1) || ' %, not above the target of ' || round(100 * $target, 1) || ' %'
  END AS passed,
  CASE
    WHEN gpu_utilization IS NULL THEN 'needs samples of the GPU; record them with `tracelake record`, or take a trace with its kernels'
  END AS missing
FROM evidence_gpu
