-- How much host time did each call into the device's runtime and driver take?
--
-- One row per name of a call and process rank: launches, copies, allocations and synchronization. `dur_sum` adds up durations. Calls of
-- several threads therefore count more than once, and so does a driver call inside a runtime call. `busy` is the time in which at least one
-- of that name ran. A call that waits for the device lasts as long as it waits. Percentiles are exact, with linear interpolation between
-- the closest values. Recordings of a process are taken together.
--
-- The numbers are those of the report `cuda_api_sum` of `nsys stats`, which adds up all processes of a file.
--
-- empty   no call into a device's runtime or driver was recorded; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- column  run       text    id     name of the run
-- column  node      text    id     machine
-- column  rank      bigint  id     global rank of the process; null when unknown
-- column  category  text    name   runtime or driver
-- column  name      text    name   name of the call
-- column  n         bigint  count  calls
-- column  dur_sum   bigint  ns     sum of the durations
-- column  busy      bigint  ns     time in which at least one ran
-- column  ratio     double  ratio  `dur_sum` over that of all calls of the process
-- column  dur_mean  double  ns     mean
-- column  dur_std   double  ns     standard deviation; null for a single one
-- column  dur_min   bigint  ns     shortest
-- column  dur_p50   double  ns     median
-- column  dur_p95   double  ns     95th percentile
-- column  dur_p99   double  ns     99th percentile
-- column  dur_max   bigint  ns     longest
--
-- needs   event
-- order   run, node, rank, dur_sum desc, category, name
-- source  kineto, nsys

SELECT
  run,
  node,
  rank,
  category,
  name,
  count(*) AS n,
  sum(dur) AS dur_sum,
  union_length(ts, dur) AS busy,
  CAST(sum(dur) AS double) / nullif(sum(sum(dur)) OVER (PARTITION BY run, node, rank), 0) AS ratio,
  avg(dur) AS dur_mean,
  stddev(dur) AS dur_std,
  min(dur) AS dur_min,
  median(dur) AS dur_p50,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY dur) AS dur_p95,
  percentile_cont(0.99) WITHIN GROUP (ORDER BY dur) AS dur_p99,
  max(dur) AS dur_max
FROM event
WHERE category IN ('runtime', 'driver') AND ts IS NOT NULL AND dur >= 0
GROUP BY run, node, rank, category, name
ORDER BY run, node, rank, dur_sum DESC, category, name
