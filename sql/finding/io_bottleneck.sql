-- Are GPUs idle because disks or network cannot keep up?
--
-- smdebug's rule IOBottleneck: in more than `limit` of the snapshots, of more than `patience`, a GPU is below 10 percent while a core waits for I/O for more than 50
-- percent. Snapshots are those in which both were sampled (view `evidence_machine`); `rules.io_bottleneck` counts all.
--
-- empty   there are no runs
--
-- param   limit     double = 0.5         share of the snapshots above which it is a bottleneck
-- param   patience  bigint >= 0 = 1000   snapshots that there must be more than
--
-- cause    storage is too slow for the GPU
-- remedy   a local copy of the data, larger files, more prefetching, faster storage
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
  'in ' || round(100 * io_share, 1) || ' % of the snapshots a GPU idles while a core waits for I/O' AS found,
  'fine: only in ' || round(100 * io_share, 1) || ' % of the snapshots a GPU idles while a core waits for I/O' AS passed,
  CASE
    WHEN io_snapshots IS NULL THEN 'needs samples of a GPU and of the I/O wait of cores together; record them with `tracelake record`'
    WHEN io_snapshots <= $patience
      THEN
        'needs more than ' || $patience || ' snapshots of a GPU and of the I/O wait of cores, and there are ' || io_snapshots
        || '; record for longer with `tracelake record`'
  END AS missing
FROM evidence_machine
