-- Do collectives take a large share of the step?
--
-- The value is the share of step time in which a rank only communicates (exposed communication, view `evidence_role`), for the rank with the largest
-- share. It includes waiting for the other ranks. It is the TensorBoard plugin's share of communication.
--
-- empty   there are no runs
--
-- param   notice   double in 0..1 = 0.1  share above which the finding is a notice
-- param   warning  double in 0..1 = 0.2  share above which the finding is a warning
--
-- cause    a rank that arrives late, or a slow network; rank_straggler and rank.communication show which of the two
-- remedy   overlap communication with the backward pass; use larger buckets, gradient accumulation or compression; check the rank that arrives last
-- limits   0.1 notice (TensorBoard plugin); 0.2 warning (our own, equal to XProf's high limit for data)
-- evidence step.breakdown, rank.communication, rank.stragglers
--
-- needs   evidence_role, evidence_rank

SELECT
  e.run,
  e.communication_most AS value,
  limit_reached AS threshold,
  CASE WHEN e.communication_most > $warning THEN 'warning' WHEN e.communication_most > $notice THEN 'notice' END AS severity,
  e.steps,
  TRY_CAST((e.communication_most - $notice) * e.total AS bigint) AS potential_saving,
  e.total AS saving_base,
  'rank_straggler' AS explained_by,
  false AS gpu_busy,
  'exposed communication takes ' || round(100 * e.communication_most, 1) || ' % of step time'
  || CASE
    WHEN e.ranks > 1 AND e.communication_rank IS NOT NULL
      THEN ' on rank ' || e.communication_rank || ', ' || round(100 * e.communication_ratio, 1) || ' % over all ranks'
    ELSE ''
  END || ' (limit: ' || round(100 * limit_reached, 1) || ' %)' AS found,
  'exposed communication takes ' || round(100 * e.communication_most, 1) || ' % of step time' AS passed,
  CASE
    WHEN e.communication_most IS NULL
      THEN 'needs a trace with collectives; record one with `torch.profiler` (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU) or Nsight Systems'
    WHEN e.communication_most = 0 AND coalesce(r.world_size, r.ranks, 1) > 1 AND NOT e.has_device
      THEN
        'needs collectives, but none of the ' || coalesce(r.world_size, r.ranks)
        || ' ranks recorded any; record a trace with `torch.profiler` (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU) or Nsight Systems'
  END AS missing
FROM (
  SELECT *, CASE WHEN communication_most > $warning THEN $warning ELSE $notice END AS limit_reached
  FROM evidence_role
) AS e
JOIN evidence_rank AS r ON r.run = e.run
