-- How many batches and samples per second did a training loop process?
--
-- One row per loop. The rates are over the time of the steps, waits and work together. If only whole passes were timed, the rates are over
-- the time of the passes. Each row has the rate of all batches and the rate without the first batch of each pass. `loads_per_s` is what the
-- loader would deliver to a loop that only waits for it. If it is close to `batches_per_s`, the loader sets the pace. Samples need a batch
-- size (view `loader_setup`); the last batch of an epoch counts as a full batch.
--
-- `load`, `compute`, `total` and their means are those of `measure_loading_overhead` of PyTorch's tutorial, for real steps.
--
-- empty   no call for a batch was recorded; record calls with `tracelake record`, or ingest timings of your own loop, DALI's Loader Evaluator, SageMaker's data loader profiling or a trace
--
-- column  run                 text    id     name of the run
-- column  node                text    id     machine
-- column  rank                bigint  id     global rank of the process; null when unknown
-- column  pid                 bigint  id     operating system process id; null when unknown
-- column  loader              text    name   name of the loader or iterator; null when unknown
-- column  object              bigint  id     file of the row, see table object; null where calls have times
-- column  variant             text    name   real or ideal, of tools that time a replay; else null
-- column  measure             text    name   steps, calls or pass, as in `loader.share`; null when there is no total
-- column  batches             bigint  count  batches; those with a time
-- column  load                bigint  ns     time waited for batches
-- column  compute             bigint  ns     time of the work on the batches; of measure pass with all else that happened in it
-- column  total               bigint  ns     time that the ratios of the row are a share of
-- column  load_mean           double  ns     mean wait
-- column  compute_mean        double  ns     mean work on a batch
-- column  batches_per_s       double  per_s  batches over the time of the loop
-- column  rest_batches_per_s  double  per_s  the same without the first batch of each pass
-- column  loads_per_s         double  per_s  batches over `load`; null for a loader that was never waited for
-- column  batch_size          bigint  count  items in a batch; null when unknown
-- column  samples_per_s       double  per_s  `batches_per_s` times `batch_size`
--
-- needs   loader_pass, loader_setup
-- order   run, node, rank, pid, loader, object, variant
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH summed AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    variant,
    max(measure) AS measure,
    sum(steps) AS batches,
    sum(load) AS load,
    sum(total) AS total,
    sum(steps_rest) AS steps_rest,
    sum(total_rest) AS total_rest
  FROM loader_pass
  GROUP BY run, node, rank, pid, loader, object, variant
)

SELECT
  p.* EXCLUDE (steps_rest, total_rest),
  p.total - p.load AS compute,
  CAST(p.load AS double) / nullif(p.batches, 0) AS load_mean,
  CAST(p.total - p.load AS double) / nullif(p.batches, 0) AS compute_mean,
  1e9 * p.batches / nullif(p.total, 0) AS batches_per_s,
  1e9 * p.steps_rest / nullif(p.total_rest, 0) AS rest_batches_per_s,
  1e9 * p.batches / nullif(p.load, 0) AS loads_per_s,
  s.batch_size,
  1e9 * p.batches / nullif(p.total, 0) * s.batch_size AS samples_per_s
FROM summed AS p
LEFT JOIN loader_setup AS s
  ON s.run = p.run
  AND (s.node IS NOT DISTINCT FROM p.node)
  AND (s.rank IS NOT DISTINCT FROM p.rank)
  AND (s.pid IS NOT DISTINCT FROM p.pid)
  AND (s.loader IS NOT DISTINCT FROM p.loader)
  AND (s.object IS NOT DISTINCT FROM p.object)
ORDER BY run, node, rank, pid, loader, object, variant
