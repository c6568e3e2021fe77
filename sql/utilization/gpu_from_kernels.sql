-- How busy was each device with kernels in the course of a run?
--
-- For recordings without measurements of the machine: utilization computed from the kernels that ran. The query divides the time of each
-- recording (`profiled_window`) into `bins` bins of equal length. `gpu_utilization` is the share of a bin in which at least one kernel ran
-- on the device. Bins without a kernel are included, with 0. Copies and fills do not count.
--
-- `kernel.occupancy` has the share over the whole time, and how well the kernels filled the device. A recording without kernels has no
-- rows.
--
-- The ratio is null for runs with device work that could not be read (view `unread_device`).
--
-- empty   no device work with known times was recorded; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- param   bins  bigint in 1..100000 = 200  number of bins of a recording
--
-- column  run              text    id     name of the run
-- column  node             text    id     machine
-- column  rank             bigint  id     global rank of the process; null when unknown
-- column  span             bigint  id     recording of the process within the run, from 0
-- column  device           text    name   device (gpu0)
-- column  ts               bigint  time   start of the bin
-- column  dur              bigint  ns     length of the bin
-- column  busy             bigint  ns     time in which at least one ran
-- column  gpu_utilization  double  ratio  mean share of time in which the GPU was busy
--
-- needs   device_work, profiled_window, unread_device
-- order   run, node, rank, span, device, ts
-- source  kineto, nsys, sagemaker_framework

WITH windows AS (
  SELECT
    * EXCLUDE (ts, dur),
    ts AS window_ts,
    ts + dur AS window_till,
    greatest((dur - 1) / greatest($bins, 1) + 1, 1) AS width
  FROM profiled_window
),

-- The kernels that run at the same time are one interval: the bins are computed for disjoint intervals only.
busy AS (
  SELECT
    w.*,
    k.device,
    union_intervals(
      greatest(k.ts, w.window_ts), least(k.ts + k.dur, w.window_till) - greatest(k.ts, w.window_ts)
    ) AS intervals
  FROM device_work AS k
  JOIN windows AS w ON w.run = k.run AND w.object = k.object AND coalesce(w.span, 0) = coalesce(k.span, 0)
  WHERE k.category = 'kernel' AND k.dur > 0 AND k.ts < w.window_till AND k.ts + k.dur > w.window_ts
  GROUP BY w.run, w.node, w.rank, w.span, w.object, w.steps, w.window_ts, w.window_till, w.width, k.device
),

parts AS (
  SELECT
    * EXCLUDE (part),
    part['ts'] AS ts,
    part['ts'] + part['dur'] AS till,
    unnest(
      range((part['ts'] - window_ts) / width, (part['ts'] + part['dur'] - 1 - window_ts) / width + 1)
    ) AS bin
  FROM (SELECT * EXCLUDE (intervals), unnest(intervals) AS part FROM busy) AS each
),

-- An interval counts in each bin with the part inside that bin.
united AS (
  SELECT
    run,
    node,
    rank,
    span,
    object,
    device,
    window_ts,
    window_till,
    width,
    bin,
    sum(least(till, window_ts + (bin + 1) * width) - greatest(ts, window_ts + bin * width)) AS busy
  FROM parts
  GROUP BY run, node, rank, span, object, device, window_ts, window_till, width, bin
),

-- A bin with kernels adds the empty bins after it; the first such bin also adds the empty bins before it.
filled AS (
  SELECT
    *,
    unnest(
      range(
        CASE WHEN lag(bin) OVER passed IS NULL THEN 0 ELSE bin END,
        coalesce(lead(bin) OVER passed, (window_till - 1 - window_ts) / width + 1)
      )
    ) AS cell
  FROM united
  WINDOW passed AS (PARTITION BY run, object, span, device ORDER BY bin)
),

timed AS (
  SELECT
    * EXCLUDE (busy),
    window_ts + cell * width AS ts,
    least(width, window_till - window_ts - cell * width) AS dur,
    CASE WHEN cell = bin THEN busy ELSE 0 END AS busy
  FROM filled
)

SELECT
  t.run,
  t.node,
  t.rank,
  t.span,
  t.device,
  t.ts,
  t.dur,
  t.busy,
  CASE WHEN u.run IS NULL THEN CAST(t.busy AS double) / t.dur END AS gpu_utilization
FROM timed AS t
LEFT JOIN unread_device AS u ON u.run = t.run
ORDER BY run, node, rank, span, device, ts
