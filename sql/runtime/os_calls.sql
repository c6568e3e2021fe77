-- How much time did each call into the operating system take?
--
-- One row per name of a call and process rank, such as `poll`, `read` or `pthread_cond_wait`, as Nsight Systems records them with
-- `--trace=osrt`. Most of these calls wait. The reason of a wait is not recorded, and a long wait of a thread without work is not a loss.
-- `dur_sum` adds up durations, so calls of several threads count more than once, and a call inside another one counts in both. `busy` is
-- the time in which at least one of that name ran. Percentiles are exact, with linear interpolation between the closest values. Recordings
-- of a process are taken together.
--
-- Calls that are shorter than a threshold are not recorded, so `n` and the percentiles cover only the longer ones. If the export has the
-- threshold, it is in table `run_attribute`, under a key that begins with `nsys.` and ends with `DURATION_THRESHOLD_NS`.
--
-- The numbers are those of the report `osrt_sum` of `nsys stats`, which adds up all processes of a file.
--
-- Excluded: marks of the start or end of a call, which have no duration.
--
-- empty   no call into the operating system was recorded; only exports of Nsight Systems have them, recorded with --trace=osrt
--
-- column  run       text    id     name of the run
-- column  node      text    id     machine
-- column  rank      bigint  id     global rank of the process; null when unknown
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
-- order   run, node, rank, dur_sum desc, name
-- source  nsys

SELECT
  run,
  node,
  rank,
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
WHERE category = 'other' AND raw_category = 'OSRT_API' AND ts IS NOT NULL AND dur >= 0
GROUP BY run, node, rank, name
ORDER BY run, node, rank, dur_sum DESC, name
