-- Are the kernels too small to keep the GPU busy?
--
-- The mean kernel lasts at most `short`, the GPU is not busy, and waiting for data explains less than half of its idle time. What the
-- host does meanwhile says `launch_bound`.
--
-- empty   there are no runs
--
-- param   short  bigint = 25000  ns up to which the mean kernel is small
-- param   busy   double = 0.8    utilization from which the GPU is busy
--
-- cause    each kernel costs a launch, and computes less than that
-- remedy   larger batches; torch.compile, fused optimizers, CUDA graphs
-- limits   25 us gpu-idle (A100), 0.8 PyTorch's tutorial
-- evidence kernel.summary, kernel.launch_stats, kernel.frequent_sequences
--
-- needs   evidence_kernel, evidence_load, evidence_role

SELECT
  k.run,
  k.kernel_mean AS value,
  $short AS threshold,
  CASE
    WHEN k.kernel_mean <= $short AND l.busy < $busy AND coalesce(l.share, 0) < (1 - l.busy) / 2 THEN 'warning'
  END AS severity,
  e.steps,
  TRY_CAST((1 - l.busy - coalesce(l.share, 0)) * e.total AS bigint) AS potential_saving,
  false AS gpu_busy,
  'a kernel lasts ' || round(k.kernel_mean / 1e3, 1) || ' us in the mean (' || k.kernels || ' kernels), and the GPU is busy for '
  || round(100 * l.busy, 1) || ' % only' AS found,
  CASE
    WHEN k.kernel_mean > $short THEN 'fine: a kernel lasts ' || round(k.kernel_mean / 1e3, 1) || ' us in the mean'
    WHEN l.busy < $busy
      THEN 'a kernel lasts ' || round(k.kernel_mean / 1e3, 1) || ' us in the mean, but waiting for data is why the GPU idles'
    ELSE
      'fine: the GPU is busy for ' || round(100 * l.busy, 1) || ' % although a kernel lasts '
      || round(k.kernel_mean / 1e3, 1) || ' us in the mean'
  END AS passed,
  CASE WHEN k.kernels IS NULL OR l.busy IS NULL THEN 'needs the kernels of a GPU; record a trace with `torch.profiler` and ProfilerActivity.CUDA' END AS missing
FROM evidence_kernel AS k
JOIN evidence_load AS l ON l.run = k.run
JOIN evidence_role AS e ON e.run = k.run
