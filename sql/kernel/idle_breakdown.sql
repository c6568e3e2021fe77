-- Why did each stream of a device wait for work?
--
-- One row per stream and cause. A stream is idle from the end of all its work so far to the start of its next work. The cause of such an
-- interval is the first of these that applies. `unknown`: no launch of the next work was recorded. `host_wait`: the next work was launched
-- after the interval had begun, so the stream waited for the host. `kernel_wait`: the interval is shorter than `threshold`, the cost of
-- starting one kernel after another. `other`: everything else, such as a wait for another stream. The time before the first and after the
-- last work of a stream is not an interval. `ratio` is the share in the idle time of the stream.
--
-- Causes and threshold are those of HTA's `get_idle_time_breakdown`. HTA measures from the end of the previous kernel, so overlapping work
-- counts as negative idle time. If no launch was recorded, HTA uses the length alone.
--
-- The ratio is null for runs with device work that could not be read (view `unread_device`).
--
-- empty   no stream of a device ran two work items at known times; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- param   threshold  bigint in 0.. = 30000  length in ns from which an interval is longer than the wait for the next kernel
--
-- column  run         text    id     name of the run
-- column  node        text    id     machine
-- column  rank        bigint  id     global rank of the process; null when unknown
-- column  span        bigint  id     recording of the process within the run, from 0
-- column  device      text    name   device (gpu0)
-- column  stream      bigint  id     stream of the device
-- column  idle_cause  text    name   host_wait, kernel_wait, other or unknown
-- column  n           bigint  count  intervals
-- column  dur_sum     bigint  ns     sum of the durations
-- column  ratio       double  ratio  `dur_sum` over the idle time of the stream
-- column  dur_mean    double  ns     mean
-- column  dur_std     double  ns     standard deviation; null for a single one
-- column  dur_min     bigint  ns     shortest
-- column  dur_p25     double  ns     25th percentile
-- column  dur_p50     double  ns     median
-- column  dur_p75     double  ns     75th percentile
-- column  dur_max     bigint  ns     longest
--
-- needs   device_launch, unread_device
-- order   run, node, rank, span, device, stream, idle_cause
-- source  kineto, nsys, sagemaker_framework

WITH followed AS (
  SELECT
    *,
    max(ts + dur) OVER (
      PARTITION BY run, object, span, device, stream ORDER BY ts, ts + dur, row ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS free_ts
  FROM device_launch
),

waited AS (
  SELECT
    * EXCLUDE (dur),
    CASE
      WHEN launch_ts IS NULL THEN 'unknown'
      WHEN launch_ts > free_ts THEN 'host_wait'
      WHEN ts - free_ts < $threshold THEN 'kernel_wait'
      ELSE 'other'
    END AS idle_cause,
    ts - free_ts AS dur
  FROM followed
  WHERE ts > free_ts
),

causes AS (
  SELECT
    run,
    node,
    rank,
    span,
    device,
    stream,
    idle_cause,
    count(*) AS n,
    sum(dur) AS dur_sum,
    avg(dur) AS dur_mean,
    stddev(dur) AS dur_std,
    min(dur) AS dur_min,
    percentile_cont(0.25) WITHIN GROUP (ORDER BY dur) AS dur_p25,
    median(dur) AS dur_p50,
    percentile_cont(0.75) WITHIN GROUP (ORDER BY dur) AS dur_p75,
    max(dur) AS dur_max,
    CAST(sum(dur) AS double) / sum(sum(dur)) OVER (PARTITION BY run, object, span, device, stream) AS ratio
  FROM waited
  GROUP BY run, node, rank, span, object, device, stream, idle_cause
)

SELECT s.* REPLACE (CASE WHEN u.run IS NULL THEN s.ratio END AS ratio)
FROM causes AS s
LEFT JOIN unread_device AS u ON u.run = s.run
ORDER BY run, node, rank, span, device, stream, idle_cause
