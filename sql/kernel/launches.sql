-- How long did each launch take on the host, until its work began, and on the device?
--
-- One row per call that launched kernels, copies or fills, and per stream and sort of these if it launched several, as a graph
-- does. `delay` is the time from the end of the call to the start of the first of them, 0 where that began before. Launches are
-- marked: `short` ran on the device for less time than the call took on the host, a call of at most `host_limit`; `slow_call` is a
-- call that took longer than that; `late` has a delay above `delay_limit`.
--
-- Times and marks are those of HTA's `get_cuda_kernel_launch_stats`, which knows CUDA's runtime only (no driver, no HIP, no graphs).
-- For many launches `kernel.launch_stats` has their statistics.
--
-- Left out: work without a launch on record.
--
-- empty   no launch of device work is on record: a trace has them if recorded with ProfilerActivity.CPU and ProfilerActivity.CUDA, an export of Nsight Systems with --trace=cuda
--
-- param   host_limit   bigint >= 0 = 50000   ns above which a call is slow
-- param   delay_limit  bigint >= 0 = 100000  ns above which work is late
--
-- column  run          text     id     run the launch belongs to
-- column  node         text     id     machine
-- column  rank         bigint   id     global rank of the process; null when unknown
-- column  span         bigint   id     recording of the process within the run, from 0
-- column  launch_ts    bigint   time   start of the call
-- column  launch_name  text     name   name of the call
-- column  launch_dur   bigint   ns     duration of the call
-- column  delay        bigint   ns     from the end of the call to the start of the work, at least 0
-- column  device       text     name   device (gpu0)
-- column  stream       bigint   id     stream of the device
-- column  category     text     name   kernel, memcpy or memset
-- column  name         text     name   name of the kernel or copy, of several the first
-- column  ts           bigint   time   start of the work
-- column  dur          bigint   ns     duration of the work, of several their sum
-- column  correlation  bigint   id     ties call and work together
-- column  short        boolean  flag   whether it took less time on the device than on the host, in a call that is not slow
-- column  slow_call    boolean  flag   whether the call took longer than `host_limit`
-- column  late         boolean  flag   whether the delay was above `delay_limit`
-- column  n            bigint   count  kernels, copies or fills that it launched
--
-- needs   device_launch
-- order   run, node, rank, span, launch_ts, ts
-- source  kineto, nsys

WITH launched AS (
  SELECT
    run,
    node,
    rank,
    span,
    object,
    device,
    stream,
    category,
    correlation,
    launch_ts,
    launch_name,
    launch_dur,
    launch_row,
    first_value(name ORDER BY ts, row) AS name,
    min(ts) AS ts,
    sum(dur) AS dur,
    count(*) AS n
  FROM device_launch
  WHERE launch_ts IS NOT NULL
  GROUP BY
    run, node, rank, span, object, device, stream, category, correlation, launch_ts, launch_name, launch_dur, launch_row
)

SELECT
  run,
  node,
  rank,
  span,
  launch_ts,
  launch_name,
  launch_dur,
  greatest(ts - launch_ts - launch_dur, 0) AS delay,
  device,
  stream,
  category,
  name,
  ts,
  dur,
  correlation,
  dur < launch_dur AND launch_dur <= $host_limit AS short,
  launch_dur > $host_limit AS slow_call,
  ts - launch_ts - launch_dur > $delay_limit AS late,
  n
FROM launched
ORDER BY run, node, rank, span, launch_ts, ts, launch_row, device, stream, category
