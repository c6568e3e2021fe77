-- How well were the devices used: busy, filled with blocks and warps, on tensor cores?
--
-- One row per recording of a process and device, over the time of `profiled_window`: from the first step to the last one and
-- the work that they launched, or the whole recording if it has no steps. Kernels count as far as they lie in it.
-- `utilization` is the share of that time in which at least one kernel ran. `sm_efficiency` weighs each moment by the
-- blocks per multiprocessor of the kernels that run, at most 1: a kernel with fewer blocks than multiprocessors leaves some
-- idle. `occupancy` is the mean of the estimated occupancy of the kernels, weighted by their time, `tensor_core_ratio` the
-- share of kernel time in kernels on tensor cores, by their names. Copies and fills do not count.
--
-- The first three are the TensorBoard plugin's. Its share of tensor cores knows no names later than Ampere and counts only
-- kernels of which it found the operator. `sm_efficiency` and `occupancy` are null where the profiler writes neither blocks
-- nor occupancy on kernels, as on AMD.
--
-- empty   there is no work of a device whose times are known: a trace has it if recorded with ProfilerActivity.CUDA, an export of Nsight Systems with --trace=cuda
--
-- column  run                text    id     run the device belongs to
-- column  node               text    id     machine
-- column  rank               bigint  id     global rank of the process; null when unknown
-- column  span               bigint  id     recording of the process within the run, from 0
-- column  device             text    name   device (gpu0)
-- column  ts                 bigint  time   start of the time
-- column  dur                bigint  ns     length of the time
-- column  kernels            bigint  count  kernels in it
-- column  busy               bigint  ns     time in which a kernel ran
-- column  utilization        double  ratio  `busy` over `dur`
-- column  sm_efficiency      double  ratio  share of the multiprocessors that had a block, mean over the time
-- column  occupancy          double  ratio  estimated occupancy, mean over the kernels weighted by their time
-- column  tensor_core_ratio  double  ratio  time of kernels on tensor cores over that of all kernels
--
-- needs   device_work, profiled_window
-- order   run, node, rank, span, device
-- source  kineto, nsys

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

-- Each kernel marks its start and its end.
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

summed AS (
  SELECT
    run,
    node,
    rank,
    span,
    object,
    device,
    window_ts,
    window_dur,
    count(*) FILTER (WHERE side = 1) AS kernels,
    union_length(ts, dur) FILTER (WHERE side = 1) AS busy,
    sum(CASE WHEN level IS NOT NULL THEN least(level, 1) END * until_next) AS filled,
    sum(occupancy * dur) FILTER (WHERE side = 1)
    / nullif(sum(dur) FILTER (WHERE side = 1 AND occupancy IS NOT NULL), 0) AS occupancy,
    CAST(coalesce(sum(dur) FILTER (WHERE side = 1 AND tensor_core), 0) AS double)
    / nullif(sum(dur) FILTER (WHERE side = 1), 0) AS tensor_core_ratio
  FROM levels
  GROUP BY run, node, rank, span, object, device, window_ts, window_dur
)

SELECT
  run,
  node,
  rank,
  span,
  device,
  window_ts AS ts,
  window_dur AS dur,
  kernels,
  busy,
  CAST(busy AS double) / nullif(window_dur, 0) AS utilization,
  filled / nullif(window_dur, 0) AS sm_efficiency,
  occupancy,
  tensor_core_ratio
FROM summed
ORDER BY run, node, rank, span, device
