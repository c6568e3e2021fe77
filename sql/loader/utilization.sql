-- How busy does the data loader keep an accelerator, by the definition of MLPerf Storage?
--
-- One row per loop. Accelerator utilization is the computing time over the sum of computing time and waits for data. MLPerf Storage
-- excludes the first step (`accelerator_utilization_rest`), requires 90 % for its image models and 70 % for CosmoFlow, and takes the mean
-- over ranks and epochs. Accelerator utilization is 1 minus the share of `loader.share`. It does not show what the accelerator did while
-- the loop computed: `utilization.gpu_load` shows that, from samples.
--
-- A pass that was timed only as a whole has no utilization. Its time outside of the waits includes the start of the workers, which would
-- count as computing.
--
-- empty   no call for a batch was recorded; record calls with `tracelake record`, or ingest timings of your own loop, DALI's Loader Evaluator, SageMaker's data loader profiling or a trace
--
-- param   target  double in 0..1 = 0.9  minimum accelerator utilization
--
-- column  run                           text     id     name of the run
-- column  node                          text     id     machine
-- column  rank                          bigint   id     global rank of the process; null when unknown
-- column  pid                           bigint   id     operating system process id; null when unknown
-- column  loader                        text     name   name of the loader or iterator; null when unknown
-- column  object                        bigint   id     file of the row, see table object; null where calls have times
-- column  measure                       text     name   steps, calls or pass, as in `loader.share`; null when nothing was recorded to compare the waits with
-- column  compute                       bigint   ns     time of the work on the batches; null when unknown
-- column  total                         bigint   ns     time that the ratios of the row are a share of
-- column  accelerator_utilization       double   ratio  `compute` over `total`
-- column  accelerator_utilization_rest  double   ratio  the same without the first batch of each pass
-- column  reached                       boolean  flag   whether `accelerator_utilization_rest` is at least `target`; null when unknown
-- column  why                           text     text   why the result is null; else null
--
-- needs   loader_pass
-- order   run, node, rank, pid, loader, object
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH summed AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    max(measure) AS measure,
    bool_or(has_ended IS NOT NULL) AS whole,
    sum(CASE WHEN measure <> 'pass' THEN total - load END) AS compute,
    sum(CASE WHEN measure <> 'pass' THEN total END) AS total,
    sum(CASE WHEN measure <> 'pass' THEN total_rest - load_rest END) AS compute_rest,
    sum(CASE WHEN measure <> 'pass' THEN total_rest END) AS total_rest
  FROM loader_pass
  WHERE variant IS DISTINCT FROM 'ideal'
  GROUP BY run, node, rank, pid, loader, object
),

used AS (
  SELECT
    *,
    CAST(compute AS double) / nullif(total, 0) AS accelerator_utilization,
    CAST(compute_rest AS double) / nullif(total_rest, 0) AS accelerator_utilization_rest
  FROM summed
)

SELECT
  * EXCLUDE (whole, compute_rest, total_rest),
  accelerator_utilization_rest >= $target AS reached,
  CASE
    WHEN accelerator_utilization IS NOT NULL THEN null
    WHEN whole THEN 'only the whole pass was timed: its time outside of the waits is not only computing'
    WHEN measure IS NULL THEN 'neither the work on the batches nor the times of the calls were recorded'
    ELSE 'the steps took no time'
  END AS why
FROM used
ORDER BY run, node, rank, pid, loader, object
