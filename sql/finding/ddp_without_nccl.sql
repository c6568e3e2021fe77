-- Do the ranks of a job on GPUs talk through another backend than NCCL?
--
-- The backend that the trace names (`distributedInfo`), of a job of several ranks whose GPUs worked.
--
-- empty   there are no runs
--
-- cause    gloo and MPI copy through the host
-- remedy   init_process_group with the backend nccl
-- limits   the rule of the TensorBoard plugin
-- evidence rank.communication
--
-- needs   evidence_rank, evidence_role

SELECT
  r.run,
  coalesce(r.world_size, r.ranks) AS value,
  1 AS threshold,
  CASE
    WHEN e.device AND coalesce(r.world_size, r.ranks) > 1 AND strpos(r.backend, 'nccl') = 0 THEN 'warning'
  END AS severity,
  e.steps,
  CAST(NULL AS bigint) AS potential_saving,
  false AS gpu_busy,
  coalesce(r.world_size, r.ranks) || ' ranks on GPUs talk through ' || r.backend AS found,
  CASE
    WHEN e.device IS false THEN 'fine: no GPU works, ' || r.backend || ' is the backend'
    WHEN coalesce(r.world_size, r.ranks, 1) = 1 THEN 'fine: there is one rank'
    ELSE 'fine: the backend is ' || r.backend
  END AS passed,
  CASE
    WHEN e.device IS NULL THEN 'needs a trace of the framework; record one with `torch.profiler`'
    WHEN r.backend IS NULL
      THEN 'needs the name of the backend; record the trace after init_process_group, or give it as a tag at ingest'
  END AS missing
FROM evidence_rank AS r
JOIN evidence_role AS e ON e.run = r.run
