-- How long do launches take on the host, and how long is the delay until their work begins?
--
-- One row per recording of a process and kind of work: kernels, copies (`memcpy`) and fills (`memset`). A call that launches several work
-- items, as a graph does, is one launch, and their durations are added up. `delay` is the time from the end of the call to the start of its
-- first work. It is 0 if the work began before the end of the call. Short delays and a queue that runs empty mean that the device waits for
-- the host. `short_launches` counts work that took less time on the device than its call on the host. It counts only calls of at most
-- `host_limit`. Such a launch costs more time than its work. `slow_calls` counts longer calls. `late_launches` counts work with a delay
-- above `delay_limit`. Percentiles are exact, with linear interpolation between the closest values.
--
-- Times and counts are those of HTA's `get_cuda_kernel_launch_stats`, which knows CUDA's runtime only (no driver, no HIP, no graphs).
-- `kernel.launches` has single launches.
--
-- Excluded: work without a recorded launch.
--
-- empty   no launch of device work was recorded; record a trace with ProfilerActivity.CPU and the activity of the device (CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- param   host_limit   bigint in 0.. = 50000   duration in ns above which a call is slow
-- param   delay_limit  bigint in 0.. = 100000  delay in ns above which work is late
--
-- column  run             text    id     name of the run
-- column  node            text    id     machine
-- column  rank            bigint  id     global rank of the process; null when unknown
-- column  span            bigint  id     recording of the process within the run, from 0
-- column  category        text    name   kernel, memcpy or memset
-- column  n               bigint  count  launches
-- column  host_mean       double  ns     mean duration of the calls
-- column  host_p50        double  ns     median of that
-- column  host_p95        double  ns     95th percentile of that
-- column  host_max        bigint  ns     longest call
-- column  delay_mean      double  ns     mean delay
-- column  delay_p50       double  ns     median delay
-- column  delay_p95       double  ns     95th percentile of the delays
-- column  delay_max       bigint  ns     longest delay
-- column  device_mean     double  ns     mean duration of the work
-- column  device_p50      double  ns     median of that
-- column  short_launches  bigint  count  work that took less time on the device than on the host, in calls that are not slow
-- column  slow_calls      bigint  count  calls that took longer than `host_limit`
-- column  late_launches   bigint  count  work with a delay above `delay_limit`
--
-- needs   device_launch
-- order   run, node, rank, span, category
-- source  kineto, nsys

WITH launched AS (
  SELECT
    run,
    node,
    rank,
    span,
    object,
    category,
    launch_row,
    min(launch_dur) AS launch_dur,
    min(ts - launch_ts - launch_dur) AS delay,
    sum(dur) AS dur
  FROM device_launch
  WHERE launch_ts IS NOT NULL
  GROUP BY run, node, rank, span, object, category, launch_row
)

SELECT
  run,
  node,
  rank,
  span,
  category,
  count(*) AS n,
  avg(launch_dur) AS host_mean,
  median(launch_dur) AS host_p50,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY launch_dur) AS host_p95,
  max(launch_dur) AS host_max,
  avg(greatest(delay, 0)) AS delay_mean,
  median(greatest(delay, 0)) AS delay_p50,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY greatest(delay, 0)) AS delay_p95,
  max(greatest(delay, 0)) AS delay_max,
  avg(dur) AS device_mean,
  median(dur) AS device_p50,
  count(*) FILTER (WHERE dur < launch_dur AND launch_dur <= $host_limit) AS short_launches,
  count(*) FILTER (WHERE launch_dur > $host_limit) AS slow_calls,
  count(*) FILTER (WHERE delay > $delay_limit) AS late_launches
FROM launched
GROUP BY run, node, rank, span, object, category
ORDER BY run, node, rank, span, category
