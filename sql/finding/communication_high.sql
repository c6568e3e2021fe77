-- Do collectives take much of the step?
--
-- The share of its steps in which a rank did nothing but communicate (view `evidence_role`), of the rank with most: waiting for the other ranks is in it.
-- It is the TensorBoard plugin's share of communication.
--
-- empty   there are no runs
--
-- param   high    double = 0.1  share above which it is high
-- param   severe  double = 0.2  share above which it is severe
--
-- cause    waiting for another rank, or a slow network: rank_straggler and rank.communication tell which
-- remedy   overlap with the backward pass; larger buckets, gradient accumulation or compression; a look at the rank that comes last
-- limits   0.1 TensorBoard plugin, 0.2 our own: what XProf calls high for data
-- evidence step.breakdown, rank.communication, rank.stragglers
--
-- needs   evidence_role, evidence_rank

SELECT
  e.run,
  e.communication_most AS value,
  $high AS threshold,
  CASE WHEN e.communication_most > $severe THEN 'warning' WHEN e.communication_most > $high THEN 'notice' END AS severity,
  e.steps,
  TRY_CAST((e.communication_most - $high) * e.total AS bigint) AS potential_saving,
  false AS gpu_busy,
  round(100 * e.communication_most, 1) || ' % of the step is communication that no kernel hides'
  || CASE
    WHEN e.ranks > 1 AND e.communication_rank IS NOT NULL
      THEN ' on rank ' || e.communication_rank || ', ' || round(100 * e.communication, 1) || ' % over all ranks'
    ELSE ''
  END AS found,
  'fine: communication takes ' || round(100 * e.communication_most, 1) || ' % of the step' AS passed,
  CASE
    WHEN e.communication_most IS NULL THEN 'needs a trace with the collectives; record a trace with `torch.profiler` and ProfilerActivity.CUDA'
    WHEN e.communication_most = 0 AND coalesce(r.world_size, r.ranks, 1) > 1 AND NOT e.device
      THEN 'needs the collectives, and none of the ' || coalesce(r.world_size, r.ranks) || ' ranks shows any; record a trace with `torch.profiler` and ProfilerActivity.CUDA'
  END AS missing
FROM evidence_role AS e
JOIN evidence_rank AS r ON r.run = e.run
