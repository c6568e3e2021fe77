-- Do copies to the device delay the steps?
--
-- The value is the share of step time in which a copy runs and no kernel runs (exposed copies, view `evidence_role`), for the rank with the largest
-- share. At least half of the copy time must go from host to device.
--
-- empty   there are no runs
--
-- param   notice   double in 0..1 = 0.1  share from which the finding is a notice
-- param   warning  double in 0..1 = 0.2  share from which the finding is a warning
--
-- cause    copies from memory that is not pinned, or blocking copies
-- remedy   set pin_memory=True and non_blocking=True; copy the next batch while the current batch is computed
-- limits   0.1 notice (gpu-idle, traceml); 0.2 warning (gpu-idle, traceml)
-- evidence memory.bandwidth_summary, step.breakdown
--
-- needs   evidence_role, evidence_kernel

SELECT
  e.run,
  e.memcpy_most AS value,
  limit_reached AS threshold,
  CASE
    WHEN k.to_device < 0.5 THEN NULL
    WHEN e.memcpy_most >= $warning THEN 'warning'
    WHEN e.memcpy_most >= $notice THEN 'notice'
  END AS severity,
  e.steps,
  TRY_CAST(e.memcpy_most * e.total AS bigint) AS potential_saving,
  e.total AS saving_base,
  false AS gpu_busy,
  'exposed copies take ' || round(100 * e.memcpy_most, 1) || ' % of step time'
  || CASE WHEN e.ranks > 1 AND e.memcpy_rank IS NOT NULL THEN ' on rank ' || e.memcpy_rank ELSE '' END
  || ' (limit: ' || round(100 * limit_reached, 1) || ' %); ' || round(100 * k.to_device, 1) || ' % of copy time goes to the device'
  || CASE WHEN k.pageable > 0 THEN ', ' || round(100 * k.pageable, 1) || ' % of that from memory that is not pinned' ELSE '' END AS found,
  CASE
    WHEN e.memcpy_most >= $notice
      THEN
        'exposed copies take ' || round(100 * e.memcpy_most, 1) || ' % of step time, but only '
        || round(100 * k.to_device, 1) || ' % of copy time goes from host to device'
    ELSE 'exposed copies take ' || round(100 * e.memcpy_most, 1) || ' % of step time'
  END AS passed,
  CASE
    WHEN e.has_device IS NOT true
      THEN 'needs the copies of a GPU; record a trace with `torch.profiler` (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU) or Nsight Systems'
  END AS missing
FROM (
  SELECT *, CASE WHEN memcpy_most >= $warning THEN $warning ELSE $notice END AS limit_reached
  FROM evidence_role
) AS e
JOIN evidence_kernel AS k ON k.run = e.run
