-- Are the recorded files corrupt or incomplete?
--
-- Counts problems of the classes `corrupt` and `incomplete`, and files that could not be read (view `evidence_problem`).
-- The other findings of such a run use only the remaining data.
--
-- empty   there are no runs
--
-- param   limit  bigint in 0.. = 0  corrupt entries and unreadable files above which the finding is a notice
--
-- cause    of an incomplete file: its program was stopped or killed, or is still running; of a corrupt file: it was modified, truncated, or written by two processes
-- remedy   let the program end and close its recordings, or copy the file again from where it is complete
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
  coalesce(nullif(corrupt, 0), incomplete) || ' of ' || objects || CASE objects WHEN 1 THEN ' file ' ELSE ' files ' END
  || CASE coalesce(nullif(corrupt, 0), incomplete) WHEN 1 THEN 'is ' ELSE 'are ' END
  || CASE WHEN corrupt > 0 THEN 'corrupt' ELSE 'incomplete' END
  || CASE WHEN corrupt > 0 AND incomplete > 0 THEN ', ' || incomplete || ' incomplete' ELSE '' END
  || CASE WHEN entries > 0 THEN ' (' || entries || CASE entries WHEN 1 THEN ' entry)' ELSE ' entries)' END ELSE '' END
  || coalesce(': ' || file, '') || coalesce(': ' || left(message, 160), '') AS found,
  objects || CASE objects WHEN 1 THEN ' file was' ELSE ' files were' END || ' read without errors' AS passed,
  CAST(NULL AS text) AS missing
FROM evidence_problem
