-- What share of the training loop was waiting for data, and is that a bottleneck?
--
-- One row per loop, or per pass of it (`by`), all batches and without the first batch of each pass: with worker processes the first one holds
-- their start, and alone can lift a short recording over the limit. The verdict rests on the share without them where there is one.
--
-- `measure` says what the waits are held against. `steps`: the sum of load and compute that a loop kept. `calls`: the time from call to
-- call. `pass`: the whole pass that DALI's Loader Evaluator timed; workers that start in it make the share too small. `report`: the time of
-- the training epochs in a report of Lightning's SimpleProfiler, with validation in them, and nothing of the first batch. These are different
-- measures, to be compared with themselves only; `step.loader_share` is another one, of waits that nothing else hid.
--
-- Left out: replays of kept batches, where loading is none; they belong to `loader.real_vs_ideal`. Lightning's reports when `by` is epoch.
--
-- empty   no call for a batch and no report of a training epoch was recorded, or `by` is none of loader and epoch
--
-- param   by          text = 'loader'  what a row is: loader (passes together) or epoch
-- param   bottleneck  double = 0.3     share above which loading is the bottleneck (PyTorch's tutorial)
-- param   high        double = 0.2     share above which it is high (XProf)
-- param   notable     double = 0.05    share above which it is notable (XProf, TensorBoard plugin)
--
-- column  run              text     id     run the loop belongs to
-- column  node             text     id     machine
-- column  rank             bigint   id     global rank of the process; null when unknown
-- column  pid              bigint   id     operating system process id; null when unknown
-- column  loader           text     name   name of the loader or iterator; null when unknown
-- column  object           bigint   id     file that is a loop of its own; null where calls have times
-- column  pass             bigint   id     pass of the loop, from 0; null unless `by` is epoch
-- column  epoch            bigint   id     epoch as recorded; null when unknown, or unless `by` is epoch
-- column  measure          text     name   steps, calls, pass or report; null when nothing was kept to hold the waits against
-- column  batches          bigint   count  batches
-- column  load             bigint   ns     time waited for them; null when `total` is
-- column  total            bigint   ns     time that it is a part of
-- column  load_ratio       double   ratio  `load` over `total`
-- column  load_ratio_rest  double   ratio  the same without the first batch of each pass; null when unknown
-- column  band             text     name   ok, notable, high or bottleneck, by `load_ratio`
-- column  band_rest        text     name   the same by `load_ratio_rest`
-- column  is_bottleneck    boolean  flag   whether `load_ratio_rest`, or `load_ratio` where there is none, lies above `bottleneck`
-- column  disagree         boolean  flag   whether all batches and the rest lie on different sides of `bottleneck`; null when one is unknown
-- column  why              text     text   why there is no share; else null
--
-- needs   action_latest, loader_pass
-- order   run, node, rank, pid, loader, object, measure, pass
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder, lightning_simple


WITH looped AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    CASE WHEN $by = 'epoch' THEN pass END AS pass,
    CASE WHEN $by = 'epoch' THEN epoch END AS epoch,
    measure,
    ended,
    batches,
    load,
    total,
    load_rest,
    total_rest
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
    bool_and(ended) AS ended,
    sum(batches) AS batches,
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
    CAST(null AS boolean) AS ended,
    batches,
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
    CAST(load AS double) / nullif(total, 0) AS load_ratio,
    CAST(load_rest AS double) / nullif(total_rest, 0) AS load_ratio_rest
  FROM summed
)

SELECT
  run,
  node,
  rank,
  pid,
  loader,
  object,
  pass,
  epoch,
  measure,
  batches,
  load,
  total,
  load_ratio,
  load_ratio_rest,
  CASE
    WHEN load_ratio > $bottleneck THEN 'bottleneck'
    WHEN load_ratio > $high THEN 'high'
    WHEN load_ratio > $notable THEN 'notable'
    WHEN load_ratio IS NOT NULL THEN 'ok'
  END AS band,
  CASE
    WHEN load_ratio_rest > $bottleneck THEN 'bottleneck'
    WHEN load_ratio_rest > $high THEN 'high'
    WHEN load_ratio_rest > $notable THEN 'notable'
    WHEN load_ratio_rest IS NOT NULL THEN 'ok'
  END AS band_rest,
  coalesce(load_ratio_rest, load_ratio) > $bottleneck AS is_bottleneck,
  (load_ratio > $bottleneck) <> (load_ratio_rest > $bottleneck) AS disagree,
  CASE
    WHEN load_ratio IS NOT NULL THEN null
    WHEN NOT ended THEN 'the pass did not end, so that its time is not known'
    WHEN measure IS NULL THEN 'neither the work on the batches nor the times of the calls were kept'
    ELSE 'the steps took no time'
  END AS why
FROM shared
ORDER BY run, node, rank, pid, loader, object, measure, pass
