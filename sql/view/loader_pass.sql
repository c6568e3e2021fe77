-- How long did each pass over the data wait, and out of how much time?
--
-- One row per pass of a loop (view `loader_batch`), with the same once more without the first batch of the pass. What the waits are held
-- against is `measure`: `steps`, the sum of load and compute where the profiler kept both; `calls`, the time from call to call where it
-- kept when they were made; `pass`, the time of the whole pass where that was all it kept, with whatever else happened in it. Null
-- means that nothing was kept to hold the waits against.
--
-- Batches of which only the wait is known are counted in `batches` and in nothing else, unless the whole pass was timed. A wait
-- that overlaps the next call lasts until that call.
--
-- column  run         text     id     run the loop belongs to
-- column  node        text     id     machine
-- column  rank        bigint   id     global rank of the process; null when unknown
-- column  pid         bigint   id     operating system process id; null when unknown
-- column  loader      text     name   name of the loader or iterator; null when unknown
-- column  object      bigint   id     file that is a loop of its own; null where calls have times
-- column  variant     text     name   real or ideal, of tools that time a replay; else null
-- column  pass        bigint   id     pass of the loop, from 0
-- column  epoch       bigint   id     epoch as recorded; null when unknown
-- column  measure     text     name   steps, calls or pass; null when there is no total
-- column  ended       boolean  flag   whether a pass that was timed as a whole ended; null where none was
-- column  batches     bigint   count  batches
-- column  steps       bigint   count  batches in `load`
-- column  load        bigint   ns     time waited for batches; null when `total` is
-- column  total       bigint   ns     time that it is a part of; null when unknown
-- column  load_rest   bigint   ns     `load` without the first batch; null if there is no other
-- column  total_rest  bigint   ns     `total` without it
-- column  steps_rest  bigint   count  batches in `load_rest`
-- column  waited      bigint   ns     all waits, those that are held against nothing, too
-- column  load_mean   double   ns     mean wait
-- column  load_std    double   ns     standard deviation of the waits, divisor n-1; null for one
-- column  load_min    bigint   ns     shortest wait
-- column  load_max    bigint   ns     longest wait
-- column  load_first  bigint   ns     wait for the first batch; null if it was left out as damaged
-- column  compute     bigint   ns     work on the batches of which it is known; null when unknown
--
-- needs   loader, loader_batch
-- order   run, node, rank, pid, loader, object, variant, pass
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder

WITH timed AS (
  SELECT run, object, loader, max(dur) AS dur
  FROM loader
  WHERE kind = 'pass'
  GROUP BY run, object, loader
),

summed AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    variant,
    pass,
    min(epoch) AS epoch,
    bool_or(kept) AS kept,
    count(*) AS batches,
    count(*) FILTER (WHERE NOT first) AS batches_rest,
    sum(load) AS load,
    avg(load) AS load_mean,
    stddev(load) AS load_std,
    min(load) AS load_min,
    max(load) AS load_max,
    max(CASE WHEN first THEN load END) AS load_first,
    sum(compute) AS compute,
    sum(load) FILTER (WHERE NOT first) AS load_rest,
    count(step) AS steps,
    sum(step) AS step,
    sum(step - compute) AS step_load,
    count(step) FILTER (WHERE NOT first) AS steps_rest,
    sum(step) FILTER (WHERE NOT first) AS step_rest,
    sum(step - compute) FILTER (WHERE NOT first) AS step_load_rest
  FROM loader_batch
  GROUP BY run, node, rank, pid, loader, object, variant, pass
),

measured AS (
  SELECT
    s.*,
    t.dur AS pass_dur,
    CASE WHEN t.run IS NOT NULL THEN t.dur IS NOT NULL END AS ended,
    CASE WHEN s.kept THEN 'steps' WHEN s.step IS NOT NULL THEN 'calls' WHEN t.dur IS NOT NULL THEN 'pass' END AS measure
  FROM summed AS s
  LEFT JOIN timed AS t ON t.run = s.run AND t.object = s.object AND (t.loader IS NOT DISTINCT FROM s.loader)
)

SELECT
  run,
  node,
  rank,
  pid,
  loader,
  object,
  variant,
  pass,
  epoch,
  measure,
  ended,
  batches,
  CASE measure WHEN 'pass' THEN batches ELSE steps END AS steps,
  CASE measure WHEN 'pass' THEN load ELSE step_load END AS load,
  CASE measure WHEN 'pass' THEN pass_dur ELSE step END AS total,
  CASE measure WHEN 'pass' THEN load_rest ELSE step_load_rest END AS load_rest,
  CASE measure WHEN 'pass' THEN pass_dur - (load - load_rest) ELSE step_rest END AS total_rest,
  CASE measure WHEN 'pass' THEN batches_rest ELSE steps_rest END AS steps_rest,
  load AS waited,
  load_mean,
  load_std,
  load_min,
  load_max,
  load_first,
  compute
FROM measured
ORDER BY run, node, rank, pid, loader, object, variant, pass
