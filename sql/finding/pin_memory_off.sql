-- Are batches copied to the GPU from memory that is not pinned?
--
-- A loader has `pin_memory` set to false, and a GPU is used: its utilization is above `used` (view `evidence_setup`). A copy from memory that is not
-- pinned is slower, and the host waits for it. The copies in a trace show whether that matters.
--
-- empty   there are no runs
--
-- param   used  double in 0..1 = 0  GPU utilization above which a GPU counts as used
--
-- cause    the loader leaves batches in pageable memory
-- remedy   set pin_memory=True, and copy with non_blocking=True
-- limits   any loader with pin_memory=False (PyTorch's tutorial, step 3); 0 used (our own)
-- evidence loader.init, memory.bandwidth_summary
--
-- needs   evidence_setup

SELECT
  run,
  unpinned AS value,
  $used AS threshold,
  CASE WHEN unpinned > 0 AND gpu_utilization > $used THEN 'notice' END AS severity,
  CAST(NULL AS bigint) AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  gpu_busy,
  unpinned || ' of ' || loaders || CASE loaders WHEN 1 THEN ' loader does' ELSE ' loaders do' END
  || ' not pin memory, and a GPU is used' AS found,
  CASE
    WHEN unpinned = 0 THEN CASE loaders WHEN 1 THEN 'the loader pins' ELSE 'all ' || loaders || ' loaders pin' END || ' memory'
    ELSE 'memory is not pinned, but no GPU is used'
  END AS passed,
  CASE
    WHEN loaders IS NULL THEN 'needs the settings of the loader; record them with `tracelake record` or LoaderProfiler'
    WHEN unpinned > 0 AND gpu_utilization IS NULL
      THEN 'needs samples of the GPU to check whether it is used; record them with `tracelake record`, or take a trace with its kernels'
  END AS missing
FROM evidence_setup
