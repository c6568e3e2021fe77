-- Did training run out of memory?
--
-- Counts out-of-memory errors of main memory and of GPU memory that a recording contains, or that CUDA's allocator counted (view `evidence_incident`).
-- An error that the program caught also counts.
--
-- empty   there are no runs
--
-- param   limit  bigint in 0.. = 0  errors above which the finding is critical
--
-- cause    a batch that is too large, references to earlier batches, or fragmented memory
-- remedy   reduce the batch size; release references to earlier batches; for fragmented GPU memory, set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; for main memory, use fewer workers
-- limits   any occurrence
-- evidence incident.summary, utilization.device_stats
--
-- needs   evidence_incident

SELECT
  run,
  coalesce(greatest(out_of_memory, allocator_errors), 0) AS value,
  $limit AS threshold,
  CASE WHEN greatest(out_of_memory, allocator_errors) > $limit THEN 'critical' END AS severity,
  CAST(NULL AS bigint) AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'memory ran out ' || CASE greatest(out_of_memory, allocator_errors) WHEN 1 THEN 'once' ELSE greatest(out_of_memory, allocator_errors) || ' times' END
  || coalesce(out_of_memory_first, ' (counted by the allocator)') AS found,
  'no out-of-memory error was recorded'
  || CASE
    WHEN unended > 0 THEN '; ' || unended || ' of ' || recordings || ' recordings have no end, and a killed process could not report an error'
    ELSE ''
  END AS passed,
  CASE
    WHEN out_of_memory IS NULL AND allocator_errors IS NULL
      THEN 'needs the errors that the program reported; record them with `tracelake record` or Lightning''s DeviceStatsMonitor'
  END AS missing
FROM evidence_incident
