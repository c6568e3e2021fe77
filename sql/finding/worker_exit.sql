-- Did a worker of the loader die?
--
-- Incidents of kind `worker_exit` that a recording noted (view `evidence_incident`): PyTorch says that a worker exited unexpectedly or was killed by a signal.
--
-- empty   there are no runs
--
-- param   limit  bigint >= 0 = 0  incidents above which it is said
--
-- cause    a worker was killed, mostly for want of memory or shared memory, or crashed in native code
-- remedy   fewer workers or batches ahead, more shared memory, num_workers=0 to see the crash
-- limits   any
-- evidence incident.summary, loader.workers_compared
--
-- needs   evidence_incident

SELECT
  run,
  worker_exit AS value,
  $limit AS threshold,
  CASE WHEN worker_exit > $limit THEN 'critical' END AS severity,
  CAST(NULL AS bigint) AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'a worker of the loader died ' || CASE worker_exit WHEN 1 THEN 'once' ELSE worker_exit || ' times' END
  || ', first' || coalesce(worker_exit_first, '') AS found,
  'fine: no worker of the loader died'
  || CASE
    WHEN unended > 0 THEN '; ' || unended || ' of ' || recordings || ' recordings have no end, and a process that was killed could not say'
    ELSE ''
  END AS passed,
  CASE WHEN worker_exit IS NULL THEN 'needs what the program said when it failed; record it with `tracelake record`' END AS missing
FROM evidence_incident
