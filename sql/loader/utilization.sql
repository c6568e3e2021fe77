-- How busy does its data loader keep an accelerator, as MLPerf Storage counts?
--
-- One row per loop. Accelerator utilization is computing over computing and waiting for data; MLPerf Storage leaves the first step out
-- (`utilization_rest`), asks for 90 % of its image models and for 70 % of CosmoFlow, and takes the mean over ranks and epochs. It is 1 less the share of
-- `loader.share`, and says nothing of what the accelerator did while it computed: `utilization.gpu_load` has that, from samples.
--
-- A pass that was timed as a whole has none: what is not waiting holds the start of the workers too, and would pass for computing.
--
-- empty   no call for a batch was recorded: timings of your own loop, DALI's Loader Evaluator, SageMaker's data loader profiling and traces have them
--
-- param   target  double = 0.9  utilization that must be reached
--
-- column  run               text     id     run the loop belongs to
-- column  node              text     id     machine
-- column  rank              bigint   id     global rank of the process; null when unknown
-- column  pid               bigint   id     operating system process id; null when unknown
-- column  loader            text     name   name of the loader or iterator; null when unknown
-- column  object            bigint   id     file that is a loop of its own; null where calls have times
-- column  measure           text     name   steps, calls or pass, as in `loader.share`; null when nothing was kept to hold the waits against
-- column  compute           bigint   ns     time computed; null when unknown
-- column  total             bigint   ns     time computed and waited
-- column  utilization       double   ratio  `compute` over `total`
-- column  utilization_rest  double   ratio  the same without the first batch of each pass
-- column  reached           boolean  flag   whether `utilization_rest` is at least `target`; null when unknown
-- column  why               text     text   why there is no utilization; else null
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
    bool_or(ended IS NOT NULL) AS whole,
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
    CAST(compute AS double) / nullif(total, 0) AS utilization,
    CAST(compute_rest AS double) / nullif(total_rest, 0) AS utilization_rest
  FROM summed
)

SELECT
  run,
  node,
  rank,
  pid,
  loader,
  object,
  measure,
  compute,
  total,
  utilization,
  utilization_rest,
  utilization_rest >= $target AS reached,
  CASE
    WHEN utilization IS NOT NULL THEN null
    WHEN whole THEN 'only the whole pass was timed: what is not waiting is not all computing'
    WHEN measure IS NULL THEN 'neither the work on the batches nor the times of the calls were kept'
    ELSE 'the steps took no time'
  END AS why
FROM used
ORDER BY run, node, rank, pid, loader, object
