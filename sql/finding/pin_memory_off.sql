-- Do batches go to the GPU from memory that is not pinned?
--
-- A loader says `pin_memory` false, and a GPU is used: its utilization is above `used` (view `evidence_setup`). A copy from memory that
-- is not pinned is slower, and the host waits for it. Whether that matters is told by the copies in a trace.
--
-- empty   there are no runs
--
-- param   used  double = 0  utilization of the GPUs above which they are used
--
-- cause    the loader leaves batches in ordinary memory
-- remedy   pin_memory=True, and copies with non_blocking=True
-- limits   none: a setting; PyTorch's tutorial, step 3
-- evidence loader.init, memory.bandwidth_summary
--
-- needs   evidence_setup

SELECT
  run,
  unpinned AS value,
  $used AS threshold,
  CASE WHEN unpinned > 0 AND busy > $used THEN 'notice' END AS severity,
  CAST(NULL AS bigint) AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  gpu_busy,
  unpinned || ' of ' || loaders || CASE loaders WHEN 1 THEN ' loader does' ELSE ' loaders do' END
  || ' not pin memory, and a GPU is used' AS found,
  CASE
    WHEN unpinned = 0 THEN 'fine: ' || CASE loaders WHEN 1 THEN 'the loader pins' ELSE 'all ' || loaders || ' loaders pin' END || ' memory'
    ELSE 'fine: memory is not pinned, and no GPU is used'
  END AS passed,
  CASE
    WHEN loaders IS NULL THEN 'needs the settings of the loader; record them with `tracelake record` or LoaderProfiler'
    WHEN unpinned > 0 AND busy IS NULL
      THEN 'needs to know whether a GPU is used; record its samples with `tracelake record`, or take a trace with its kernels'
  END AS missing
FROM evidence_setup
