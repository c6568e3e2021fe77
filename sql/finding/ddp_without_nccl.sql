-- Do the ranks of a GPU job communicate through a backend other than NCCL?
--
-- Checks the backend that the trace names (`distributedInfo`). The finding applies only to jobs with several ranks and GPU work.
--
-- empty   there are no runs
--
-- cause    gloo, and MPI without support for CUDA, copy data through the host
-- remedy   call init_process_group with backend nccl
-- limits   any backend other than NCCL (TensorBoard plugin)
-- evidence rank.communication
--
-- needs   evidence_rank, evidence_role

SELECT
  r.run,
  coalesce(r.world_size, r.ranks) AS value,
  1 AS threshold,
  CASE
    WHEN e.has_device AND coalesce(r.world_size, r.ranks) > 1 AND strpos(r.backend, 'nccl') = 0 THEN 'warning'
  END AS severity,
  e.steps,
  CAST(NULL AS bigint) AS potential_saving,
  false AS gpu_busy,
  coalesce(r.world_size, r.ranks) || ' ranks on GPUs communicate through ' || r.backend || ' instead of NCCL' AS found,
  CASE
    WHEN e.has_device IS false THEN 'no GPU work was recorded; the backend is ' || r.backend
    WHEN coalesce(r.world_size, r.ranks, 1) = 1 THEN 'there is only one rank'
    ELSE 'the backend is ' || r.backend
  END AS passed,
  CASE
    WHEN e.has_device IS NULL THEN 'needs a trace of the training framework; record one with `torch.profiler`'
    WHEN r.backend IS NULL
      THEN 'needs the name of the backend; record the trace after init_process_group, or set tag `backend` at ingest'
  END AS missing
FROM evidence_rank AS r
JOIN evidence_role AS e ON e.run = r.run
