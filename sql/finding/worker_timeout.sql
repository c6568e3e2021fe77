-- Did the training wait for a worker until it gave up?
--
-- Incidents of kind `worker_timeout` that a recording noted (view `evidence_incident`): PyTorch says `DataLoader timed out`.
--
-- empty   there are no runs
--
-- param   limit  bigint >= 0 = 0  incidents above which it is said
--
-- cause    a worker hangs or is too slow: a lock, a read over the network, too many workers for the machine
-- remedy   raise the timeout of the loader, fewer workers, num_workers=0 to find the item
-- limits   any
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
  'a worker of the loader did not deliver in time ' || CASE worker_timeout WHEN 1 THEN 'once' ELSE worker_timeout || ' times' END
  || ', first' || coalesce(worker_timeout_first, '') AS found,
  'fine: every worker of the loader delivered in time'
  || CASE
    WHEN unended > 0 THEN '; ' || unended || ' of ' || recordings || ' recordings have no end, and a process that was killed could not say'
    ELSE ''
  END AS passed,
  CASE WHEN worker_timeout IS NULL THEN 'needs what the program said when it failed; record it with `tracelake record`' END AS missing
FROM evidence_incident
