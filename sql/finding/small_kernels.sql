-- Are the kernels too small to keep the GPU busy?
--
-- The finding is reported if the mean kernel duration is at most `short`, the GPU utilization is below `busy`, and waiting for data explains less
-- than half of the idle time of the GPU. The potential saving is the idle time that waiting for data does not explain. `launch_bound` checks whether
-- the host launches work too late.
--
-- empty   there are no runs
--
-- param   short  bigint = 25000        mean kernel duration in ns up to which kernels are small
-- param   busy   double in 0..1 = 0.8  GPU utilization from which the GPU counts as busy
--
-- cause    kernels are so short that launching them, and the gaps between them, take a large share of the time
-- remedy   use larger batches, torch.compile, fused optimizers or CUDA graphs
-- limits   25000 ns (25 us) short (gpu-idle, for an A100); 0.8 busy (PyTorch's tutorial)
-- evidence kernel.summary, kernel.launch_stats, kernel.frequent_sequences
--
-- needs   evidence_kernel, evidence_load, evidence_role

SELECT
  k.run,
  k.kernel_mean AS value,
  $short AS threshold,
  CASE
    WHEN k.kernel_mean <= $short AND l.gpu_utilization < $busy AND coalesce(l.share, 0) < (1 - l.gpu_utilization) / 2 THEN 'warning'
  END AS severity,
  e.steps,
  TRY_CAST((1 - l.gpu_utilization - coalesce(l.share, 0)) * e.total AS bigint) AS potential_saving,
  e.total AS saving_base,
  false AS gpu_busy,
  'GPU utilization is ' || round(100 * l.gpu_utilization, 1) || ' %; ' || k.kernels || ' kernels last ' || format_amount(k.kernel_mean, 'ns')
  || ' on average (limit: ' || format_amount($short, 'ns') || ')' AS found,
  CASE
    WHEN k.kernel_mean > $short THEN 'kernels last ' || format_amount(k.kernel_mean, 'ns') || ' on average'
    WHEN l.gpu_utilization < $busy
      THEN 'kernels last ' || format_amount(k.kernel_mean, 'ns') || ' on average, but waiting for data explains at least half of the idle time of the GPU'
    ELSE
      'GPU utilization is ' || round(100 * l.gpu_utilization, 1) || ' %, although kernels last '
      || format_amount(k.kernel_mean, 'ns') || ' on average'
  END AS passed,
  CASE
    WHEN k.kernels IS NULL OR l.gpu_utilization IS NULL
      THEN 'needs the kernels of a GPU; record a trace with `torch.profiler` (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU) or Nsight Systems'
  END AS missing
FROM evidence_kernel AS k
JOIN evidence_load AS l ON l.run = k.run
JOIN evidence_role AS e ON e.run = k.run
