-- How much of the time was a device computing, doing something else, or idle?
--
-- One row per recording of a process, over all its devices and streams together. `dur` is the time from the start of its first kernel, copy
-- or fill to the end of the last one. `computation` is the time in which at least one computing kernel ran. `non_computation` is the time
-- in which only communication, copies or fills ran. `idle` is the rest. The three add up to `dur`. `kernel`, `communication` and `memory`
-- are the times in which at least one kernel, one communication kernel, or one copy or fill ran. Only `kernel_sum` adds up durations, so
-- parallel kernels count more than once there.
--
-- The three parts are those of HTA's `get_temporal_breakdown`. HTA rounds times with fractions to whole microseconds, drops the last step,
-- and counts synchronization as work. A recording without device work has no row.
--
-- The ratios are null for runs with device work that could not be read (view `unread_device`).
--
-- empty   no device work with known times was recorded; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- column  run                    text    id     name of the run
-- column  node                   text    id     machine
-- column  rank                   bigint  id     global rank of the process; null when unknown
-- column  span                   bigint  id     recording of the process within the run, from 0
-- column  ts                     bigint  time   start of the first kernel, copy or fill
-- column  dur                    bigint  ns     from there to the end of the last one
-- column  computation            bigint  ns     time in which a computing kernel ran
-- column  non_computation        bigint  ns     time in which only communication, copies or fills ran
-- column  idle                   bigint  ns     time in which nothing ran
-- column  computation_ratio      double  ratio  `computation` over `dur`
-- column  non_computation_ratio  double  ratio  `non_computation` over `dur`
-- column  idle_ratio             double  ratio  `idle` over `dur`
-- column  kernels                bigint  count  kernels
-- column  kernel_sum             bigint  ns     sum of the durations of the kernels
-- column  kernel                 bigint  ns     time in which a kernel ran
-- column  communication          bigint  ns     time in which a collective ran; kernels of collectives
-- column  memory                 bigint  ns     time in which a copy or fill ran
--
-- needs   device_work, unread_device
-- order   run, node, rank, span
-- source  kineto, nsys, sagemaker_framework

WITH united AS (
  SELECT
    run,
    node,
    rank,
    span,
    object,
    min(ts) AS ts,
    max(ts + dur) - min(ts) AS dur,
    union_length(ts, dur) AS busy,
    union_length(ts, dur) FILTER (WHERE type = 'computation') AS computation,
    count(*) FILTER (WHERE category = 'kernel') AS kernels,
    coalesce(sum(dur) FILTER (WHERE category = 'kernel'), 0) AS kernel_sum,
    union_length(ts, dur) FILTER (WHERE category = 'kernel') AS kernel,
    union_length(ts, dur) FILTER (WHERE type = 'communication') AS communication,
    union_length(ts, dur) FILTER (WHERE type = 'memory') AS memory
  FROM device_work
  GROUP BY run, node, rank, span, object
)

SELECT
  d.* EXCLUDE (object, busy),
  d.busy - d.computation AS non_computation,
  d.dur - d.busy AS idle,
  CASE WHEN u.run IS NULL THEN CAST(d.computation AS double) / nullif(d.dur, 0) END AS computation_ratio,
  CASE WHEN u.run IS NULL THEN CAST(d.busy - d.computation AS double) / nullif(d.dur, 0) END AS non_computation_ratio,
  CASE WHEN u.run IS NULL THEN CAST(d.dur - d.busy AS double) / nullif(d.dur, 0) END AS idle_ratio
FROM united AS d
LEFT JOIN unread_device AS u ON u.run = d.run
ORDER BY run, node, rank, span
