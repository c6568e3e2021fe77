-- Is the memory of a GPU nearly full?
--
-- The greatest share of the memory of a device that an allocator had handed out, or that samples saw in use (view `evidence_memory`). Samples
-- include what the allocator only keeps, so that they may be near the end without any danger: the sentence says which it is.
--
-- empty   there are no runs
--
-- param   full   double = 0.97  share above which it is a warning
-- param   limit  double = 0.9   share above which it is said
--
-- cause    the training nearly needs all the memory of the GPU; a longer input may be too much
-- remedy   a smaller batch, checkpointing of activations, mixed precision
-- limits   0.9 TensorBoard plugin, 0.97 traceml
-- evidence memory.peak, utilization.summary
--
-- needs   evidence_memory

SELECT
  run,
  peak AS value,
  $limit AS threshold,
  CASE WHEN peak > $full THEN 'warning' WHEN peak > $limit THEN 'notice' END AS severity,
  CAST(NULL AS bigint) AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  round(100 * peak, 1) || ' % of the memory of ' || peak_gpu
  || CASE WHEN peak_source = 'allocator' THEN ' was handed out to tensors' ELSE ' was in use, what the allocator only keeps included' END AS found,
  'fine: at most ' || round(100 * peak, 1) || ' % of the memory of ' || peak_gpu || ' was in use' AS passed,
  CASE
    WHEN peak IS NULL AND allocations IS NOT NULL
      THEN 'needs the size of the memory of the GPU; a trace has it as deviceProperties, and `tracelake record` samples shares'
    WHEN peak IS NULL
      THEN
        'needs events of an allocator or samples of the memory of the GPU; record a trace with profile_memory=True, or samples with `tracelake record`'
  END AS missing
FROM evidence_memory
