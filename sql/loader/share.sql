-- What share of the training loop was spent waiting for data, and is that a bottleneck?
--
-- One row per loop, or per pass of a loop if `by` is epoch. Each row has the share of all batches and the share without the first batch of
-- each pass. With worker processes, the first wait includes their start. This alone can lift the share of a short recording above the
-- limit. `is_bottleneck` compares `loader_ratio_rest` with `bottleneck`,
-- or `loader_ratio` if that is null.
--
-- `measure` is what the waits are compared with. `steps`: the sum of load and compute that a loop recorded. `calls`: the time from call to
-- call. `pass`: the whole pass that DALI's Loader Evaluator timed; workers that start in it make the share too small. `report`: the time of
-- the training epochs in a report of Lightning's SimpleProfiler. It includes validation, and it does not show the first batch separately. A
-- report of AdvancedProfiler has no such time: there it is the sum of the actions of the epochs (view `action_advanced`), and the share is an
-- upper bound.
-- Compare only shares of the same measure. `step.loader_share` is a different measure: waits that no other work hid.
--
-- Excluded: replays of cached batches, which load nothing (see `loader.real_vs_ideal`). If `by` is epoch, also Lightning's reports.
--
-- empty   no call for a batch and no report of a training epoch by a profiler of Lightning was recorded (`tracelake record` records calls), or `by` is neither loader nor epoch
--
-- param   by          text in loader|epoch = 'loader'  one row per loader (all passes together) or per epoch
-- param   bottleneck  double in 0..1 = 0.3             share above which loading is the bottleneck (PyTorch's tutorial)
-- param   high        double in 0..1 = 0.2             share above which loading is high (XProf)
-- param   notable     double in 0..1 = 0.05            share above which loading is notable (XProf, TensorBoard plugin)
--
-- column  run                text     id     name of the run
-- column  node               text     id     machine
-- column  rank               bigint   id     global rank of the process; null when unknown
-- column  pid                bigint   id     operating system process id; null when unknown
-- column  loader             text     name   name of the loader or iterator; null when unknown
-- column  object             bigint   id     file of the row, see table object; null where calls have times
-- column  pass               bigint   id     pass of the loop, from 0; null unless `by` is epoch
-- column  epoch              bigint   id     epoch as recorded; null when unknown, or unless `by` is epoch
-- column  measure            text     name   steps, calls, pass or report; null when nothing was recorded to compare the waits with
-- column  batches            bigint   count  batches
-- column  steps              bigint   count  batches in `load`
-- column  load               bigint   ns     time waited for batches; null when `total` is
-- column  total              bigint   ns     time that the ratios of the row are a share of; `loader_ratio_rest` excludes the first batch of each pass from it
-- column  loader_ratio       double   ratio  share of loop time spent waiting for data
-- column  loader_ratio_rest  double   ratio  the same without the first batch of each pass; null when unknown
-- column  band               text     name   ok, notable, high or bottleneck, by `loader_ratio`
-- column  band_rest          text     name   the same by `loader_ratio_rest`
-- column  is_bottleneck      boolean  flag   whether `loader_ratio_rest`, or `loader_ratio` where there is none, lies above `bottleneck`
-- column  disagree           boolean  flag   whether all batches and the rest lie on different sides of `bottleneck`; null when one is unknown
-- column  why                text     text   why the result is null; else null
--
-- needs   loader_pass, action_latest, action_advanced
-- order   run, node, rank, pid, loader, object, measure, pass
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder, lightning_simple, lightning_advanced


WITH looped AS (
  SELECT
    * EXCLUDE (pass, epoch),
    CASE WHEN $by = 'epoch' THEN pass END AS pass,
    CASE WHEN $by = 'epoch' THEN epoch END AS epoch
  FROM loader_pass
  WHERE $by IN ('loader', 'epoch') AND variant IS DISTINCT FROM 'ideal'
),

reported AS (
  SELECT
    run,
    node,
    rank,
    object,
    report,
    max(CASE WHEN hook IN ('train_dataloader_next', 'get_train_batch') THEN action END) AS loader,
    max(CASE WHEN hook IN ('train_dataloader_next', 'get_train_batch') THEN calls END) AS batches,
    max(CASE WHEN hook IN ('train_dataloader_next', 'get_train_batch') THEN total_s END) AS load_s,
    max(CASE WHEN hook = 'run_training_epoch' THEN total_s END) AS total_s
  FROM action_latest
  WHERE profiler = 'simple' AND $by = 'loader'
  GROUP BY run, node, rank, object, report
  UNION ALL
  SELECT
    run,
    node,
    rank,
    object,
    report,
    max(CASE WHEN hook = 'train_dataloader_next' THEN action END) AS loader,
    max(CASE WHEN hook = 'train_dataloader_next' THEN calls END) AS batches,
    max(CASE WHEN hook = 'train_dataloader_next' THEN total_s END) AS load_s,
    sum(total_s) FILTER (WHERE in_loop) AS total_s
  FROM action_advanced
  WHERE $by = 'loader'
  GROUP BY run, node, rank, object, report
),

summed AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    pass,
    epoch,
    max(measure) AS measure,
    bool_and(has_ended) AS has_ended,
    sum(batches) AS batches,
    sum(steps) AS steps,
    sum(load) AS load,
    sum(total) AS total,
    sum(load_rest) AS load_rest,
    sum(total_rest) AS total_rest
  FROM looped
  GROUP BY run, node, rank, pid, loader, object, pass, epoch
  UNION ALL
  SELECT
    run,
    node,
    rank,
    CAST(null AS bigint) AS pid,
    loader,
    object,
    CAST(null AS bigint) AS pass,
    CAST(null AS bigint) AS epoch,
    'report' AS measure,
    CAST(null AS boolean) AS has_ended,
    batches,
    batches AS steps,
    TRY_CAST(round(1e9 * load_s) AS bigint) AS load,
    TRY_CAST(round(1e9 * total_s) AS bigint) AS total,
    CAST(null AS bigint) AS load_rest,
    CAST(null AS bigint) AS total_rest
  FROM reported
  WHERE load_s IS NOT NULL AND total_s IS NOT NULL
),

shared AS (
  SELECT
    *,
    CAST(load AS double) / nullif(total, 0) AS loader_ratio,
    CAST(load_rest AS double) / nullif(total_rest, 0) AS loader_ratio_rest
  FROM summed
)

SELECT
  * EXCLUDE (has_ended, load_rest, total_rest),
  CASE
    WHEN loader_ratio > $bottleneck THEN 'bottleneck'
    WHEN loader_ratio > $high THEN 'high'
    WHEN loader_ratio > $notable THEN 'notable'
    WHEN loader_ratio IS NOT NULL THEN 'ok'
  END AS band,
  CASE
    WHEN loader_ratio_rest > $bottleneck THEN 'bottleneck'
    WHEN loader_ratio_rest > $high THEN 'high'
    WHEN loader_ratio_rest > $notable THEN 'notable'
    WHEN loader_ratio_rest IS NOT NULL THEN 'ok'
  END AS band_rest,
  coalesce(loader_ratio_rest, loader_ratio) > $bottleneck AS is_bottleneck,
  (loader_ratio > $bottleneck) <> (loader_ratio_rest > $bottleneck) AS disagree,
  CASE
    WHEN loader_ratio IS NOT NULL THEN null
    WHEN NOT has_ended THEN 'the pass did not end, so that its time is not known'
    WHEN measure IS NULL THEN 'neither the work on the batches nor the times of the calls were recorded'
    ELSE 'the steps took no time'
  END AS why
FROM shared
ORDER BY run, node, rank, pid, loader, object, measure, pass
