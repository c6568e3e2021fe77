-- How much device time did each kernel and copy take?
--
-- One row per process and name. `dur_sum` adds up durations, so parallel work counts more than once. `busy` is the time in which at least
-- one of that name ran. `ratio` is `dur_sum` divided by that of all kernels and copies of the process. Percentiles are exact, with linear
-- interpolation between the closest values. Recordings of a process are taken together.
--
-- The sums are those of the kernel table of the TensorBoard plugin, and of HTA's `get_gpu_kernel_breakdown` for all kernels. HTA's default
-- computes mean, minimum and maximum over sums, not over kernels.
--
-- The ratio is null for runs with device work that could not be read (view `unread_device`).
--
-- empty   no device work with known times was recorded; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- column  run          text     id     name of the run
-- column  node         text     id     machine
-- column  rank         bigint   id     global rank of the process; null when unknown
-- column  type         text     name   computation, communication or memory (copies and fills)
-- column  name         text     name   name of the kernel or copy
-- column  n            bigint   count  how often it ran
-- column  dur_sum      bigint   ns     sum of the durations
-- column  busy         bigint   ns     time in which at least one ran
-- column  ratio        double   ratio  `dur_sum` over that of all kernels and copies of the process
-- column  dur_mean     double   ns     mean
-- column  dur_std      double   ns     standard deviation; null for a single one
-- column  dur_min      bigint   ns     shortest
-- column  dur_p50      double   ns     median
-- column  dur_p95      double   ns     95th percentile
-- column  dur_p99      double   ns     99th percentile
-- column  dur_max      bigint   ns     longest
-- column  tensor_core  boolean  flag   whether the kernel runs on tensor cores, by its name; null for copies and fills
--
-- needs   device_work, unread_device
-- order   run, node, rank, dur_sum desc, type, name
-- source  kineto, nsys, sagemaker_framework

WITH summed AS (
  SELECT
    run,
    node,
    rank,
    type,
    name,
    tensor_core,
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
  FROM device_work
  GROUP BY run, node, rank, type, name, tensor_core
)

SELECT s.* REPLACE (CASE WHEN u.run IS NULL THEN s.ratio END AS ratio)
FROM summed AS s
LEFT JOIN unread_device AS u ON u.run = s.run
ORDER BY run, node, rank, dur_sum DESC, type, name
