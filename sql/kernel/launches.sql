-- How long did each launch take on the host, how long until its work began, and how long on the device?
--
-- One row per call that launched kernels, copies or fills. A call that launched several kinds of work or used several streams, as a graph
-- does, has one row per stream and kind. `delay` is the time from the end of the call to the start of its first work. It is 0 if the work
-- began before the end of the call. Three columns mark launches. `is_short`: the work took less time on the device than the call took on
-- the host, and the call took at most `host_limit`. `slow_call`: the call took longer than `host_limit`. `is_late`: the delay is above
-- `delay_limit`.
--
-- Times and marks are those of HTA's `get_cuda_kernel_launch_stats`, which knows CUDA's runtime only (no driver, no HIP, no graphs). For
-- many launches, `kernel.launch_stats` has their statistics.
--
-- Excluded: work without a recorded launch.
--
-- empty   no launch of device work was recorded; record a trace with ProfilerActivity.CPU and the activity of the device (CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- param   host_limit   bigint in 0.. = 50000   duration in ns above which a call is slow
-- param   delay_limit  bigint in 0.. = 100000  delay in ns above which work is late
--
-- column  run          text     id     name of the run
-- column  node         text     id     machine
-- column  rank         bigint   id     global rank of the process; null when unknown
-- column  span         bigint   id     recording of the process within the run, from 0
-- column  launch_ts    bigint   time   start of the call that launched it
-- column  launch_name  text     name   name of the call
-- column  launch_dur   bigint   ns     duration of the call
-- column  delay        bigint   ns     from the end of the call to the start of the work, at least 0
-- column  device       text     name   device (gpu0)
-- column  stream       bigint   id     stream of the device
-- column  category     text     name   kernel, memcpy or memset
-- column  name         text     name   name of the kernel or copy, of several the first
-- column  ts           bigint   time   start of the work
-- column  dur          bigint   ns     duration of the work, of several their sum
-- column  correlation  bigint   id     ties a call to the work that it launched
-- column  is_short     boolean  flag   whether it took less time on the device than on the host, in a call that is not slow
-- column  slow_call    boolean  flag   whether the call took longer than `host_limit`
-- column  is_late      boolean  flag   whether the delay was above `delay_limit`
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
  * EXCLUDE (object, launch_row),
  greatest(ts - launch_ts - launch_dur, 0) AS delay,
  dur < launch_dur AND launch_dur <= $host_limit AS is_short,
  launch_dur > $host_limit AS slow_call,
  ts - launch_ts - launch_dur > $delay_limit AS is_late
FROM launched
ORDER BY run, node, rank, span, launch_ts, ts, launch_row, device, stream, category
