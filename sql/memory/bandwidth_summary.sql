-- How fast did copies and fills move memory on average?
--
-- One row per recording of a process, device and direction. `mean_bytes_per_s` is the mean over the time in which a copy of that direction
-- ran (`busy`). The columns `point_*` are over the `n` values of the bandwidth above 0 after each change, regardless of the time between
-- changes. They are those of HTA's `get_memory_bw_summary`: HTA's mean is `point_mean_bytes_per_s`. `memory.bandwidth` defines the
-- directions and the bandwidth.
--
-- empty   no copy or fill with a bandwidth or a size was recorded; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- column  run                     text    id           name of the run
-- column  node                    text    id           machine
-- column  rank                    bigint  id           global rank of the process; null when unknown
-- column  span                    bigint  id           recording of the process within the run, from 0
-- column  device                  text    name         device (gpu0)
-- column  name                    text    name         direction of the copies, or Memset
-- column  copies                  bigint  count        copies or fills
-- column  copied_bytes            bigint  bytes        sum of the sizes; null where none is on record
-- column  busy                    bigint  ns           time in which at least one ran
-- column  mean_bytes_per_s        double  bytes_per_s  mean bandwidth in the time in which at least one ran
-- column  n                       bigint  count        values of the bandwidth above 0
-- column  point_mean_bytes_per_s  double  bytes_per_s  mean of these
-- column  point_std_bytes_per_s   double  bytes_per_s  standard deviation of these; null for a single one
-- column  min_bytes_per_s         double  bytes_per_s  minimum of these
-- column  p25_bytes_per_s         double  bytes_per_s  25th percentile
-- column  p50_bytes_per_s         double  bytes_per_s  median
-- column  p75_bytes_per_s         double  bytes_per_s  75th percentile
-- column  max_bytes_per_s         double  bytes_per_s  maximum bandwidth
--
-- needs   copy_rate
-- order   run, node, rank, span, device, name
-- source  kineto, nsys

SELECT
  run,
  node,
  rank,
  span,
  device,
  name,
  count(*) / 2 AS copies,
  sum(copy_bytes) AS copied_bytes,
  coalesce(sum(dur) FILTER (WHERE bytes_per_s > 0), 0) AS busy,
  sum(bytes_per_s * dur) / nullif(sum(dur) FILTER (WHERE bytes_per_s > 0), 0) AS mean_bytes_per_s,
  count(*) FILTER (WHERE bytes_per_s > 0) AS n,
  avg(bytes_per_s) FILTER (WHERE bytes_per_s > 0) AS point_mean_bytes_per_s,
  stddev(bytes_per_s) FILTER (WHERE bytes_per_s > 0) AS point_std_bytes_per_s,
  min(bytes_per_s) FILTER (WHERE bytes_per_s > 0) AS min_bytes_per_s,
  percentile_cont(0.25) WITHIN GROUP (ORDER BY bytes_per_s) FILTER (WHERE bytes_per_s > 0) AS p25_bytes_per_s,
  median(bytes_per_s) FILTER (WHERE bytes_per_s > 0) AS p50_bytes_per_s,
  percentile_cont(0.75) WITHIN GROUP (ORDER BY bytes_per_s) FILTER (WHERE bytes_per_s > 0) AS p75_bytes_per_s,
  max(bytes_per_s) AS max_bytes_per_s
FROM copy_rate
GROUP BY run, node, rank, span, object, device, name
ORDER BY run, node, rank, span, device, name
