-- Does one process drive several GPUs with DataParallel?
--
-- The finding applies if a trace contains calls of DataParallel and its process used more than one device.
--
-- empty   there are no runs
--
-- cause    one process launches the work of all GPUs, copies the model at every step and gathers the results on one GPU
-- remedy   use DistributedDataParallel with one process per GPU
-- limits   more than one device (TensorBoard plugin)
-- evidence kernel.occupancy, annotation.summary
--
-- needs   evidence_rank, evidence_kernel, evidence_role

SELECT
  r.run,
  CASE WHEN r.data_parallel THEN coalesce(k.devices, 0) ELSE 0 END AS value,
  1 AS threshold,
  CASE WHEN r.data_parallel AND k.devices > 1 THEN 'warning' END AS severity,
  e.steps,
  CAST(NULL AS bigint) AS potential_saving,
  false AS gpu_busy,
  'DataParallel drives ' || k.devices || ' GPUs from one process' AS found,
  CASE
    WHEN r.data_parallel THEN 'DataParallel uses ' || coalesce(k.devices, 0) || ' GPU'
    ELSE 'DataParallel is not used'
  END AS passed,
  CASE WHEN NOT r.traced THEN 'needs a trace of the training framework; record one with `torch.profiler`' END AS missing
FROM evidence_rank AS r
JOIN evidence_kernel AS k ON k.run = r.run
JOIN evidence_role AS e ON e.run = r.run
