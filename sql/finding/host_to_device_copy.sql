-- Do copies to the device hold the steps up?
--
-- The share of the steps in which a copy ran and no kernel (view `evidence_role`), of the rank with most, where at least half of the time in copies
-- goes from host to device.
--
-- empty   there are no runs
--
-- param   high    double = 0.1  share from which it is high
-- param   severe  double = 0.2  share from which it is severe
--
-- cause    copies out of memory that is not pinned, or blocking copies
-- remedy   pin_memory=True and non_blocking=True; copy the next batch while this one is computed
-- limits   0.1 and 0.2 gpu-idle and traceml
-- evidence memory.bandwidth_summary, step.breakdown
--
-- needs   evidence_role, evidence_kernel

SELECT
  e.run,
  e.memcpy_most AS value,
  $high AS threshold,
  CASE
    WHEN k.to_device < 0.5 THEN NULL
    WHEN e.memcpy_most >= $severe THEN 'warning'
    WHEN e.memcpy_most >= $high THEN 'notice'
  END AS severity,
  e.steps,
  TRY_CAST(e.memcpy_most * e.total AS bigint) AS potential_saving,
  false AS gpu_busy,
  round(100 * e.memcpy_most, 1) || ' % of the step is copies that no kernel hides'
  || CASE WHEN e.ranks > 1 AND e.memcpy_rank IS NOT NULL THEN ' on rank ' || e.memcpy_rank ELSE '' END
  || ', ' || round(100 * k.to_device, 1) || ' % of copy time goes to the device'
  || CASE WHEN k.pageable > 0 THEN ', ' || round(100 * k.pageable, 1) || ' % of that out of memory that is not pinned' ELSE '' END AS found,
  CASE
    WHEN e.memcpy_most >= $high
      THEN
        round(100 * e.memcpy_most, 1) || ' % of the step is copies that no kernel hides, but only '
        || round(100 * k.to_device, 1) || ' % of copy time goes from host to device'
    ELSE 'fine: copies that no kernel hides take ' || round(100 * e.memcpy_most, 1) || ' % of the step'
  END AS passed,
  CASE WHEN e.device IS NOT true THEN 'needs the copies of a GPU; record a trace with `torch.profiler` and ProfilerActivity.CUDA' END AS missing
FROM evidence_role AS e
JOIN evidence_kernel AS k ON k.run = e.run
