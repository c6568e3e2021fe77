-- How well were the devices used: busy, filled with blocks and warps, on tensor cores?
--
-- One row per recording of a process and device, over the time of view `profiled_window`. It lasts from the first step to the last one,
-- including the work that they launched. Without steps it is the whole recording. Of each kernel, only the part inside this time counts.
-- `gpu_utilization` is the share of that time in which at least one kernel ran. `sm_efficiency` weights each moment by the blocks per
-- multiprocessor of the running kernels, at most 1. A kernel with fewer blocks than multiprocessors leaves some of them idle. `occupancy`
-- is the mean of the estimated occupancy of the kernels, weighted by their time. `tensor_core_ratio` is the share of kernel time in kernels
-- on tensor cores, by their names. Copies and fills do not count.
--
-- The first three are those of the TensorBoard plugin. Its share of tensor cores does not know names later than Ampere, and counts only
-- kernels for which it found the operator. `sm_efficiency` and `occupancy` are null if the profiler writes neither blocks nor occupancy for
-- kernels, as on AMD.
--
-- `gpu_utilization`, `sm_efficiency` and `tensor_core_ratio` are null for runs with device work that could not be read (view `unread_device`).
--
-- empty   no device work with known times was recorded; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- column  run                text    id     name of the run
-- column  node               text    id     machine
-- column  rank               bigint  id     global rank of the process; null when unknown
-- column  span               bigint  id     recording of the process within the run, from 0
-- column  device             text    name   device (gpu0)
-- column  ts                 bigint  time   start of the time
-- column  dur                bigint  ns     length of the time
-- column  kernels            bigint  count  kernels in it
-- column  busy               bigint  ns     time in which at least one ran
-- column  gpu_utilization    double  ratio  mean share of time in which the GPU was busy
-- column  sm_efficiency      double  ratio  share of the multiprocessors that had a block, mean over the time
-- column  occupancy          double  ratio  estimated occupancy, mean over the kernels weighted by their time
-- column  tensor_core_ratio  double  ratio  time of kernels on tensor cores over that of all kernels
--
-- needs   device_work, profiled_window, unread_device
-- order   run, node, rank, span, device
-- source  kineto, nsys, sagemaker_framework

WITH kernels AS (
  SELECT
    k.run,
    p.node,
    p.rank,
    p.span,
    k.object,
    k.device,
    p.ts AS window_ts,
    p.dur AS window_dur,
    greatest(k.ts, p.ts) AS ts,
    least(k.ts + k.dur, p.ts + p.dur) - greatest(k.ts, p.ts) AS dur,
    k.tensor_core,
    try_cast(extract_arg(k.args, 'blocks per SM') AS double) AS blocks,
    try_cast(extract_arg(k.args, 'est. achieved occupancy %') AS double) / 100 AS occupancy
  FROM device_work AS k
  JOIN profiled_window AS p ON p.run = k.run AND p.object = k.object AND coalesce(p.span, 0) = coalesce(k.span, 0)
  WHERE k.category = 'kernel' AND k.ts + k.dur >= p.ts AND k.ts <= p.ts + p.dur
),

-- Each kernel has a mark at its start and one at its end.
marks AS (
  SELECT k.*, m.side, CASE m.side WHEN 1 THEN k.ts ELSE k.ts + k.dur END AS at
  FROM kernels AS k
  CROSS JOIN (VALUES (1), (-1)) AS m (side)
),

-- `level` is the number of blocks per multiprocessor from a mark to the next one.
levels AS (
  SELECT
    *,
    sum(CASE WHEN blocks > 0 THEN side * blocks END) OVER passed AS level,
    lead(at) OVER passed - at AS until_next
  FROM marks
  WINDOW passed AS (PARTITION BY run, object, span, device ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),

used AS (
  SELECT
    run,
    node,
    rank,
    span,
    device,
    window_ts AS ts,
    window_dur AS dur,
    count(*) FILTER (WHERE side = 1) AS kernels,
    union_length(ts, dur) FILTER (WHERE side = 1) AS busy,
    CAST(union_length(ts, dur) FILTER (WHERE side = 1) AS double) / nullif(window_dur, 0) AS gpu_utilization,
    sum(CASE WHEN level IS NOT NULL THEN least(level, 1) END * until_next) / nullif(window_dur, 0) AS sm_efficiency,
    sum(occupancy * dur) FILTER (WHERE side = 1)
    / nullif(sum(dur) FILTER (WHERE side = 1 AND occupancy IS NOT NULL), 0) AS occupancy,
    CAST(coalesce(sum(dur) FILTER (WHERE side = 1 AND tensor_core), 0) AS double)
    / nullif(sum(dur) FILTER (WHERE side = 1), 0) AS tensor_core_ratio
  FROM levels
  GROUP BY run, node, rank, span, object, device, window_ts, window_dur
)

SELECT s.* REPLACE (
    CASE WHEN u.run IS NULL THEN s.gpu_utilization END AS gpu_utilization,
    CASE WHEN u.run IS NULL THEN s.sm_efficiency END AS sm_efficiency,
    CASE WHEN u.run IS NULL THEN s.tensor_core_ratio END AS tensor_core_ratio
  )
FROM used AS s
LEFT JOIN unread_device AS u ON u.run = s.run
ORDER BY run, node, rank, span, device
