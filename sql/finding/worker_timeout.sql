-- Did training time out while it waited for a worker?
--
-- Counts the incidents of kind `worker_timeout` in recordings (view `evidence_incident`): PyTorch reported `DataLoader timed out`.
--
-- empty   there are no runs
--
-- param   limit  bigint in 0.. = 0  incidents above which the finding is critical
--
-- cause    a worker hangs or is too slow: a lock, a read over the network, too many workers for the machine
-- remedy   increase the timeout of the loader, use fewer workers, set num_workers=0 to find the slow item
-- limits   any occurrence
-- evidence incident.summary, loader.workers_compared
--
-- needs   evidence_incident

SELECT
  run,
  worker_timeout AS value,
  $limit AS threshold,
  CASE WHEN worker_timeout > $limit THEN 'critical' END AS severity,
  CAST(NULL AS bigint) AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'a worker of the loader timed out ' || CASE worker_timeout WHEN 1 THEN 'once' ELSE worker_timeout || ' times' END
  || coalesce(worker_timeout_first, '') AS found,
  'no worker of the loader timed out'
  || CASE
    WHEN unended > 0 THEN '; ' || unended || ' of ' || recordings || ' recordings have no end, and a killed process could not report an error'
    ELSE ''
  END AS passed,
  CASE WHEN worker_timeout IS NULL THEN 'needs the errors that the program reported; record them with `tracelake record`' END AS missing
FROM evidence_incident
