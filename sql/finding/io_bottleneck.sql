-- Are GPUs idle because disks or the network cannot keep up?
--
-- smdebug's rule IOBottleneck: in more than `limit` of the snapshots, a GPU is below 10 percent while a core spends more than 50 percent in I/O wait.
-- More than `patience` snapshots are required. A snapshot counts if both a GPU and the I/O wait were sampled (view `evidence_machine`).
-- `rules.io_bottleneck` counts all snapshots.
--
-- empty   there are no runs
--
-- param   limit     double = 0.5        share of snapshots above which I/O is a bottleneck
-- param   patience  bigint >= 0 = 1000  number of snapshots; more than this many are required
--
-- cause    storage is too slow for the GPU
-- remedy   copy the data to a local disk, use larger files, prefetch more, use faster storage
-- limits   0.5 of more than 1000 snapshots, smdebug's rule IOBottleneck
-- evidence rules.io_bottleneck, utilization.io_bottleneck
--
-- needs   evidence_machine

SELECT
  run,
  io_share AS value,
  $limit AS threshold,
  CASE WHEN io_share > $limit THEN 'critical' END AS severity,
  io_snapshots AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'in ' || round(100 * io_share, 1) || ' % of the snapshots a GPU is idle while a core waits for I/O (limit: ' || round(100 * $limit, 1) || ' %)' AS found,
  'in ' || round(100 * io_share, 1) || ' % of the snapshots a GPU is idle while a core waits for I/O' AS passed,
  CASE
    WHEN io_snapshots IS NULL THEN 'needs samples of a GPU and of the I/O wait of cores at the same time; record them with `tracelake record`'
    WHEN io_snapshots <= $patience
      THEN
        'needs more than ' || $patience || ' snapshots of a GPU and of the I/O wait of cores, and there are ' || io_snapshots
        || '; record for longer with `tracelake record`'
  END AS missing
FROM evidence_machine
