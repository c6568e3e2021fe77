-- Are GPUs idle because the CPU cannot keep up?
--
-- This is smdebug's rule CPUBottleneck: in more than `limit` of the snapshots, the utilization of a GPU is below 10 % while that of a core is above
-- 90 %. More than `patience` snapshots are required. A snapshot is a set of samples with nearly the same time. It counts if it has samples of both a
-- GPU and the cores (view `evidence_machine`). `rules.cpu_bottleneck` counts all snapshots.
--
-- empty   there are no runs
--
-- param   limit     double in 0..1 = 0.5  share of snapshots above which the CPU is a bottleneck
-- param   patience  bigint in 0.. = 1000  number of snapshots; more than this many are required
--
-- cause    the host is too slow for the GPU: loading, preprocessing or Python keeps the cores busy
-- remedy   increase num_workers, make preprocessing cheaper or move it to the GPU, or use a machine with more cores
-- limits   0.5 limit (smdebug's rule CPUBottleneck); 1000 patience (smdebug's rule CPUBottleneck)
-- evidence rules.cpu_bottleneck, utilization.cpu_bottleneck
--
-- needs   evidence_machine

SELECT
  run,
  cpu_share AS value,
  $limit AS threshold,
  CASE WHEN cpu_share > $limit THEN 'critical' END AS severity,
  cpu_snapshots AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'in ' || round(100 * cpu_share, 1) || ' % of the snapshots a GPU is idle while a core is busy (limit: ' || round(100 * $limit, 1) || ' %)' AS found,
  'in ' || round(100 * cpu_share, 1) || ' % of the snapshots a GPU is idle while a core is busy' AS passed,
  CASE
    WHEN cpu_snapshots IS NULL THEN 'needs samples of a GPU and of cores at the same time; record them with `tracelake record`'
    WHEN cpu_snapshots <= $patience
      THEN
        'needs more than ' || $patience || ' snapshots of a GPU and of cores, and there are ' || cpu_snapshots
        || '; record for longer with `tracelake record`'
  END AS missing
FROM evidence_machine
