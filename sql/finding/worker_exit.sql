-- Did a worker of the loader exit unexpectedly?
--
-- Counts the incidents of kind `worker_exit` in recordings (view `evidence_incident`): PyTorch reported that a worker exited unexpectedly or was killed
-- by a signal.
--
-- empty   there are no runs
--
-- param   limit  bigint in 0.. = 0  incidents above which the finding is critical
--
-- cause    a worker was killed, mostly because memory or shared memory ran out, or it crashed in native code
-- remedy   use fewer workers or prefetch fewer batches, increase shared memory, set num_workers=0 to see the crash
-- limits   any occurrence
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
  'a worker of the loader exited unexpectedly ' || CASE worker_exit WHEN 1 THEN 'once' ELSE worker_exit || ' times' END
  || coalesce(worker_exit_first, '') AS found,
  'no worker of the loader exited unexpectedly'
  || CASE
    WHEN unended > 0 THEN '; ' || unended || ' of ' || recordings || ' recordings have no end, and a killed process could not report an error'
    ELSE ''
  END AS passed,
  CASE WHEN worker_exit IS NULL THEN 'needs the errors that the program reported; record them with `tracelake record`' END AS missing
FROM evidence_incident
