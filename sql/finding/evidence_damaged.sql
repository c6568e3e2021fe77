-- Is what was recorded damaged?
--
-- Entries that were left out or repaired, files that are cut, empty or cannot be read, recordings without an end (view `evidence_damage`).
-- What the other findings say of such a run rests on the rest.
--
-- empty   there are no runs
--
-- param   limit  bigint >= 0 = 0  damaged entries and files above which it is said
--
-- cause    the recorder was stopped, killed or left early, or a file was cut or changed
-- remedy   let the program end, close recordings, and run passes to their end; then record again
-- limits   any
-- evidence job.overview
--
-- needs   evidence_damage

SELECT
  run,
  entries + unread AS value,
  $limit AS threshold,
  CASE WHEN entries + unread > $limit THEN 'notice' END AS severity,
  CAST(NULL AS bigint) AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  damaged || ' of ' || objects || CASE objects WHEN 1 THEN ' file is damaged' ELSE ' files are damaged' END
  || CASE WHEN entries > 0 THEN ' in ' || entries || CASE entries WHEN 1 THEN ' entry' ELSE ' entries' END ELSE '' END
  || coalesce(': ' || file, '') || coalesce(': ' || left(message, 160), '') AS found,
  'fine: ' || objects || CASE objects WHEN 1 THEN ' file was' ELSE ' files were' END || ' read without damage' AS passed,
  CAST(NULL AS text) AS missing
FROM evidence_damage
