-- Are the recorded files corrupt or incomplete?
--
-- Counts entries that were skipped or repaired, files that are truncated, empty or unreadable, and recordings without an end (view `evidence_problem`).
-- The other findings of such a run use only the remaining data.
--
-- empty   there are no runs
--
-- param   limit  bigint in 0.. = 0  corrupt entries and unreadable files above which the finding is a notice
--
-- cause    the recorder was stopped or killed, a pass ended early, or a file was truncated or modified
-- remedy   let the program end, close recordings, and run passes to their end; then record again
-- limits   any occurrence
-- evidence job.overview
--
-- needs   evidence_problem

SELECT
  run,
  entries + unread AS value,
  $limit AS threshold,
  CASE WHEN entries + unread > $limit THEN 'notice' END AS severity,
  CAST(NULL AS bigint) AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  corrupt || ' of ' || objects || CASE objects WHEN 1 THEN ' file ' ELSE ' files ' END
  || CASE corrupt WHEN 1 THEN 'is corrupt or incomplete' ELSE 'are corrupt or incomplete' END
  || CASE WHEN entries > 0 THEN ' (' || entries || CASE entries WHEN 1 THEN ' entry)' ELSE ' entries)' END ELSE '' END
  || coalesce(': ' || file, '') || coalesce(': ' || left(message, 160), '') AS found,
  objects || CASE objects WHEN 1 THEN ' file was' ELSE ' files were' END || ' read without errors' AS passed,
  CAST(NULL AS text) AS missing
FROM evidence_problem
