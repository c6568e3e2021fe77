-- How does the training speed change with the settings of the data loader?
--
-- One row per loop, over all runs: the settings of its loader (view `loader_setup`) and the speed of its steps. `speedup` compares with the
-- baseline: by samples if both batch sizes are known, otherwise by batches. `baseline` names the loader or the run of the baseline. Without
-- it, or if several loops match, the baseline is the loop with the fewest workers, and the slowest of these. If a format does not record
-- the number of workers, set it with a tag: `ingest(..., tags={"num_workers": 4})`.
--
-- Change one setting at a time, with the same sampler and the same model. `speedup_rest` excludes the first batch of each pass, and with it
-- the start of the workers, which short recordings overstate.
--
-- A filter on `run` selects the rows; the baseline is always that of all runs.
--
-- Excluded: replays, and loops without a time to compare their batches with.
--
-- empty   no call for a batch was recorded; record calls with `tracelake record`, or ingest timings of your own loop, DALI's Loader Evaluator, SageMaker's data loader profiling or a trace
--
-- param   baseline  text = null  loader or run to compare the others with; null for the loop with the fewest workers
--
-- column  run                 text     id      name of the run
-- column  node                text     id      machine
-- column  rank                bigint   id      global rank of the process; null when unknown
-- column  pid                 bigint   id      operating system process id; null when unknown
-- column  loader              text     name    name of the loader or iterator; null when unknown
-- column  object              bigint   id      file of the row, see table object; null where calls have times
-- column  num_workers         bigint   count   worker processes of the loader; null when unknown
-- column  batch_size          bigint   count   items in a batch; null when unknown
-- column  prefetch_factor     bigint   count   batches that each worker prepares ahead; null when unknown
-- column  persistent_workers  boolean  flag    whether workers outlive a pass; null when unknown
-- column  pin_memory          boolean  flag    whether batches go to pinned memory; null when unknown
-- column  batches             bigint   count   batches; those with a time
-- column  batches_per_s       double   per_s   batches over the time of the loop
-- column  rest_batches_per_s  double   per_s   the same without the first batch of each pass
-- column  samples_per_s       double   per_s   `batches_per_s` times `batch_size`
-- column  is_baseline         boolean  flag    whether it is the baseline that others are compared with
-- column  speedup             double   factor  how many times as fast; relative to the baseline; null without one
-- column  speedup_rest        double   factor  the same without the first batch of each pass
--
-- needs   loader_rate
-- order   run, node, rank, pid, loader, object
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH paced AS (
  SELECT *, CASE WHEN $baseline IS NULL THEN num_workers IS NOT NULL ELSE loader = $baseline OR run = $baseline END AS asked
  FROM loader_rate
),

placed AS (
  SELECT
    *,
    row_number() OVER (
      ORDER BY CASE WHEN asked THEN 0 ELSE 1 END, num_workers, batches_per_s, run, node, rank, pid, loader, object
    ) AS place
  FROM paced
),

based AS (
  SELECT batch_size AS base_size, batches_per_s AS base_rate, rest_batches_per_s AS base_rate_rest
  FROM placed
  WHERE place = 1 AND asked
),

compared AS (
  SELECT p.*, b.*, coalesce(CAST(p.batch_size AS double) / nullif(b.base_size, 0), 1) AS sizes
  FROM placed AS p
  LEFT JOIN based AS b ON true
)

SELECT
  * EXCLUDE (asked, place, base_size, base_rate, base_rate_rest, sizes),
  batches_per_s * batch_size AS samples_per_s,
  place = 1 AND coalesce(asked, false) AS is_baseline,
  sizes * batches_per_s / base_rate AS speedup,
  sizes * rest_batches_per_s / base_rate_rest AS speedup_rest
FROM compared
ORDER BY run, node, rank, pid, loader, object
