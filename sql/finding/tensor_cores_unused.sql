-- Do convolutions and matrix multiplications run without tensor cores?
--
-- A device has tensor cores, no kernel uses them, and there are operators that could use them (view `evidence_kernel`). Only NVIDIA devices are checked.
--
-- empty   there are no runs
--
-- param   capability  double = 7            compute capability from which a device has tensor cores
-- param   eligible    double in 0..1 = 0.0  share of kernel time that could run on tensor cores above which the finding is a warning
--
-- cause    full precision, or shapes that tensor cores do not support
-- remedy   use mixed precision (torch.autocast) or TF32, and dimensions that are multiples of 8
-- limits   7 capability (TensorBoard plugin); 0 eligible (TensorBoard plugin)
-- evidence kernel.occupancy, kernel.by_operator
--
-- needs   evidence_kernel, evidence_role

SELECT
  k.run,
  CASE WHEN k.tensor_core_ratio > 0 THEN 0 ELSE k.eligible END AS value,
  $eligible AS threshold,
  CASE WHEN k.tensor_core_ratio = 0 AND k.eligible > $eligible AND k.capability >= $capability THEN 'warning' END AS severity,
  e.steps,
  k.eligible_rest AS potential_saving,
  e.total * e.ranks AS saving_base,
  false AS gpu_busy,
  'no kernel runs on tensor cores, but ' || round(100 * k.eligible, 1) || ' % of kernel time could ('
  || format_amount(k.eligible_rest, 'ns') || ')' AS found,
  CASE
    WHEN k.capability < $capability THEN 'the device has no tensor cores'
    WHEN k.tensor_core_ratio > 0 THEN round(100 * k.tensor_core_ratio, 1) || ' % of kernel time runs on tensor cores'
    ELSE 'no operator could use tensor cores'
  END AS passed,
  CASE
    WHEN k.kernels IS NULL THEN 'needs the kernels of a GPU; record a trace with `torch.profiler` (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU) or Nsight Systems'
    WHEN k.amd THEN 'needs kernel names that show the use of tensor cores; AMD kernel names do not'
    WHEN k.capability IS NULL THEN 'needs the compute capability of the device; record a trace that has `deviceProperties`'
    WHEN k.eligible IS NULL THEN 'needs the operators that launched the kernels; record with ProfilerActivity.CPU too'
  END AS missing
FROM evidence_kernel AS k
JOIN evidence_role AS e ON e.run = k.run
