-- Is the GPU idle because the host has not launched its next work yet?
--
-- The GPU is not busy, waiting for data explains less than half of its idle time, and most of the idle time of its main stream passes before the next
-- work is launched (`host_wait` of HTA's idle time breakdown). Kernels may be of any size; `small_kernels` checks whether they are small.
--
-- empty   there are no runs
--
-- param   waiting  double in 0..1 = 0.5  share of idle time above which the host is the cause
-- param   busy     double in 0..1 = 0.8  GPU utilization from which the GPU counts as busy
--
-- cause    the host is too slow: Python between operators, calls that wait for the device, small kernels
-- remedy   use torch.compile or CUDA graphs; avoid .item(), .cpu() and printing of tensors in the step; profile the host
-- limits   0.5 waiting (our own, most of the idle time); 0.8 busy (PyTorch's tutorial)
-- evidence kernel.idle_breakdown, kernel.launch_stats, step.critical_path_summary, operator.summary
--
-- needs   evidence_kernel, evidence_load, evidence_role

SELECT
  k.run,
  k.host_wait AS value,
  $waiting AS threshold,
  CASE
    WHEN k.host_wait > $waiting AND l.gpu_utilization < $busy AND coalesce(l.share, 0) < (1 - l.gpu_utilization) / 2 THEN 'warning'
  END AS severity,
  e.steps,
  TRY_CAST((1 - l.gpu_utilization - coalesce(l.share, 0)) * e.total AS bigint) AS potential_saving,
  e.total AS saving_base,
  false AS gpu_busy,
  'GPU utilization is ' || round(100 * l.gpu_utilization, 1) || ' %; in ' || round(100 * k.host_wait, 1)
  || ' % of its idle time the next kernel is not launched yet (limit: ' || round(100 * $waiting, 1) || ' %)'
  || coalesce('; a launch takes ' || format_amount(k.launch_p50, 'ns') || ' and a kernel ' || format_amount(k.kernel_mean, 'ns'), '') AS found,
  CASE
    WHEN l.gpu_utilization >= $busy THEN 'GPU utilization is ' || round(100 * l.gpu_utilization, 1) || ' %'
    WHEN k.host_wait <= $waiting
      THEN 'in ' || round(100 * (1 - k.host_wait), 1) || ' % of the idle time of the GPU the next kernel is already launched'
    ELSE 'the GPU waits for launches, but waiting for data explains at least half of its idle time'
  END AS passed,
  CASE
    WHEN k.kernels IS NULL OR l.gpu_utilization IS NULL
      THEN 'needs the kernels of a GPU; record a trace with `torch.profiler` (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU) or Nsight Systems'
    WHEN k.host_wait IS NULL THEN 'needs the launches of the kernels; record with ProfilerActivity.CPU too'
  END AS missing
FROM evidence_kernel AS k
JOIN evidence_load AS l ON l.run = k.run
JOIN evidence_role AS e ON e.run = k.run
