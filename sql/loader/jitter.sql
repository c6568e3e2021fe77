-- How much do the waits for batches, and the steps around them, vary?
--
-- One row per loop and part of a step. `load` is the wait. `load_rest` is the wait without the first batch of each pass: judge a loader by
-- this part. `compute` is the work on a batch. `step` is wait and work together. `interval` is the time from batch to batch, as a clock at
-- the top of the loop measures it. Unknown parts have no row.
--
-- `unsteadiness` is the 95th percentile over the median. Above 2, the loader or its storage delivers in bursts. Outliers lasted at least
-- `factor` times the median; `loader.slow_batches` lists them. Percentiles are exact, with linear interpolation between the closest values.
--
-- empty   no call for a batch was recorded; record calls with `tracelake record`, or ingest timings of your own loop, DALI's Loader Evaluator, SageMaker's data loader profiling or a trace
--
-- param   factor  double = 2.0  minimum duration of an outlier, as a multiple of the median
--
-- column  run            text    id      name of the run
-- column  node           text    id      machine
-- column  rank           bigint  id      global rank of the process; null when unknown
-- column  pid            bigint  id      operating system process id; null when unknown
-- column  loader         text    name    name of the loader or iterator; null when unknown
-- column  object         bigint  id      file of the row, see table object; null where calls have times
-- column  variant        text    name    real or ideal, of tools that time a replay; else null
-- column  part           text    name    load, load_rest, compute, step or interval
-- column  n              bigint  count   durations
-- column  dur            bigint  ns      their sum
-- column  dur_mean       double  ns      mean
-- column  dur_std        double  ns      standard deviation; null for one
-- column  variation      double  factor  `dur_std` over `dur_mean`
-- column  dur_min        bigint  ns      shortest
-- column  dur_p50        double  ns      median
-- column  dur_p90        double  ns      90th percentile
-- column  dur_p95        double  ns      95th percentile
-- column  dur_p99        double  ns      99th percentile
-- column  dur_max        bigint  ns      longest
-- column  unsteadiness   double  factor  `dur_p95` over `dur_p50`
-- column  outliers       bigint  count   durations of at least `factor` times the median; null if that is 0
-- column  outlier_ratio  double  ratio   `outliers` over `n`
--
-- needs   loader_part
-- order   run, node, rank, pid, loader, object, variant, part
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH compared AS (
  SELECT *, median(CAST(dur AS double)) OVER (PARTITION BY run, node, rank, pid, loader, object, variant, part) AS p50
  FROM loader_part
),

measured AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    variant,
    part,
    count(*) AS n,
    sum(dur) AS dur,
    avg(dur) AS dur_mean,
    stddev(dur) AS dur_std,
    min(dur) AS dur_min,
    max(p50) AS dur_p50,
    percentile_cont(0.9) WITHIN GROUP (ORDER BY dur) AS dur_p90,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY dur) AS dur_p95,
    percentile_cont(0.99) WITHIN GROUP (ORDER BY dur) AS dur_p99,
    max(dur) AS dur_max,
    count(*) FILTER (WHERE dur >= $factor * p50) AS outliers
  FROM compared
  GROUP BY run, node, rank, pid, loader, object, variant, part
)

SELECT
  * EXCLUDE (outliers),
  dur_std / nullif(dur_mean, 0) AS variation,
  dur_p95 / nullif(dur_p50, 0) AS unsteadiness,
  CASE WHEN dur_p50 > 0 THEN outliers END AS outliers,
  CASE WHEN dur_p50 > 0 THEN CAST(outliers AS double) / n END AS outlier_ratio
FROM measured
ORDER BY run, node, rank, pid, loader, object, variant, part
