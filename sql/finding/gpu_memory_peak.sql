-- Is the memory of a GPU nearly full?
--
-- The value is the maximum share of device memory that an allocator had allocated, or that samples show in use (view `evidence_memory`). Samples
-- include memory that the allocator only caches. A high share in samples is therefore not always a risk. The sentence names the source.
--
-- empty   there are no runs
--
-- param   warning  double in 0..1 = 0.97  share above which the finding is a warning
-- param   notice   double in 0..1 = 0.9   share above which the finding is a notice
--
-- cause    training needs nearly all memory of the GPU; a longer input may not fit
-- remedy   reduce the batch size, or use activation checkpointing or mixed precision
-- limits   0.9 notice (TensorBoard plugin); 0.97 warning (traceml)
-- evidence memory.peak, utilization.summary
--
-- needs   evidence_memory

SELECT
  run,
  peak AS value,
  limit_reached AS threshold,
  CASE WHEN peak > $warning THEN 'warning' WHEN peak > $notice THEN 'notice' END AS severity,
  CAST(NULL AS bigint) AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  round(100 * peak, 1) || ' % of the memory of ' || peak_gpu
  || CASE WHEN peak_source = 'allocator' THEN ' was allocated to tensors' ELSE ' was in use, including memory cached by the allocator' END
  || ' (limit: ' || round(100 * limit_reached, 1) || ' %)' AS found,
  'at most ' || round(100 * peak, 1) || ' % of the memory of ' || peak_gpu || ' was in use' AS passed,
  CASE
    WHEN peak IS NULL AND allocations IS NOT NULL
      THEN 'needs the memory size of the GPU; record a trace that has `deviceProperties`, or samples with `tracelake record`'
    WHEN peak IS NULL
      THEN
        'needs allocator events or samples of the memory of the GPU; record a trace with profile_memory=True, or samples with `tracelake record`'
  END AS missing
FROM (
  SELECT *, CASE WHEN peak > $warning THEN $warning ELSE $notice END AS limit_reached
  FROM evidence_memory
) AS m
