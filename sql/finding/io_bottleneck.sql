-- Are GPUs idle because disks or the network cannot keep up?
--
-- This is smdebug's rule IOBottleneck: in more than `limit` of the snapshots, the utilization of a GPU is below 10 % while a core spends more than
-- half of its time in I/O wait. More than `patience` snapshots are required. A snapshot is a set of samples with nearly the same time. It counts if
-- it has samples of both a GPU and the I/O wait (view `evidence_machine`). `rules.io_bottleneck` counts all snapshots.
--
-- empty   there are no runs
--
-- param   limit     double in 0..1 = 0.5  share of snapshots above which I/O is a bottleneck
-- param   patience  bigint in 0.. = 1000  number of snapshots; more than this many are required
--
-- cause    storage is too slow for the GPU
-- remedy   copy the data to a local disk, use larger files, prefetch more, use faster storage
-- limits   0.5 limit (smdebug's rule IOBottleneck); 1000 patience (smdebug's rule IOBottleneck)
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
