-- Did the training run out of memory?
--
-- Errors that a recording noted, of main memory and of a GPU alike, or that CUDA's allocator counted (view `evidence_incident`). An error that was
-- caught counts as well.
--
-- empty   there are no runs
--
-- param   limit  bigint >= 0 = 0  errors above which it is said
--
-- cause    a batch that is too large, references to earlier batches, fragmented memory
-- remedy   a smaller batch (8 instead of 32), drop references, empty the cache of the allocator
-- limits   any
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
  || coalesce(', first' || out_of_memory_first, ', as the allocator counted') AS found,
  'fine: no error for want of memory was noted'
  || CASE
    WHEN unended > 0 THEN '; ' || unended || ' of ' || recordings || ' recordings have no end, and a process that was killed could not say'
    ELSE ''
  END AS passed,
  CASE
    WHEN out_of_memory IS NULL AND allocator_errors IS NULL
      THEN 'needs what the program said when it failed; record it with `tracelake record`'
  END AS missing
FROM evidence_incident
