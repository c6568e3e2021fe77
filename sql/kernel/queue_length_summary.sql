-- How long was the queue of each stream of a device on average?
--
-- One row per stream of a recording. `length_mean` weights each length by the time for which it lasted. `empty_ratio` is the share of the
-- time in which no launch waited: the device is then about to wait for the host. The other columns on the length are over its `n` values
-- after each change, regardless of the time between changes. They are those of HTA's `get_queue_length_summary`: HTA's mean is
-- `point_mean`. `kernel.queue_length` defines a launch.
--
-- empty   no launch of device work was recorded; record a trace with ProfilerActivity.CPU and the activity of the device (CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- column  run          text    id     name of the run
-- column  node         text    id     machine
-- column  rank         bigint  id     global rank of the process; null when unknown
-- column  span         bigint  id     recording of the process within the run, from 0
-- column  device       text    name   device (gpu0)
-- column  stream       bigint  id     stream of the device
-- column  ts           bigint  time   first launch
-- column  dur          bigint  ns     from there to the last start of work
-- column  launches     bigint  count  launches
-- column  length_mean  double  count  mean length over the time
-- column  empty_ratio  double  ratio  share of the time in which the queue was empty
-- column  n            bigint  count  changes of the length
-- column  point_mean   double  count  mean length after a change
-- column  point_std    double  count  standard deviation of that
-- column  point_p25    double  count  25th percentile of that
-- column  point_p50    double  count  median of that
-- column  point_p75    double  count  75th percentile of that
-- column  length_max   bigint  count  maximum length of the queue
--
-- needs   launch_queue
-- order   run, node, rank, span, device, stream
-- source  kineto, nsys

SELECT
  run,
  node,
  rank,
  span,
  device,
  stream,
  min(ts) AS ts,
  max(ts) - min(ts) AS dur,
  count(*) / 2 AS launches,
  CAST(sum(length * dur) AS double) / nullif(sum(dur), 0) AS length_mean,
  CAST(sum(CASE WHEN length = 0 THEN dur ELSE 0 END) AS double) / nullif(sum(dur), 0) AS empty_ratio,
  count(*) AS n,
  avg(length) AS point_mean,
  stddev(length) AS point_std,
  percentile_cont(0.25) WITHIN GROUP (ORDER BY length) AS point_p25,
  median(length) AS point_p50,
  percentile_cont(0.75) WITHIN GROUP (ORDER BY length) AS point_p75,
  max(length) AS length_max
FROM launch_queue
GROUP BY run, node, rank, span, object, device, stream
ORDER BY run, node, rank, span, device, stream
