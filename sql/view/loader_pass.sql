-- How long did each pass over the data wait, and out of how much time?
--
-- One row per pass of a loop (view `loader_batch`). Columns that end in `_rest` have the same values without the first batch of the pass.
-- `measure` is the time that the waits are compared with. `steps` is the sum of load and compute, if the profiler recorded both. `calls` is
-- the time from call to call, if it recorded the times of the calls. `pass` is the time of the whole pass, if it recorded only that; this
-- includes everything else that happened in the pass. `measure` is null if the waits cannot be compared with any time.
--
-- A batch with only a known wait counts in `batches`, in `waited` and in the statistics of single waits. It does not count in `load` and
-- `total`, unless the whole pass was timed. A wait that overlaps the next call counts only until that call.
--
-- column  run         text     id     name of the run
-- column  node        text     id     machine
-- column  rank        bigint   id     global rank of the process; null when unknown
-- column  pid         bigint   id     operating system process id; null when unknown
-- column  loader      text     name   name of the loader or iterator; null when unknown
-- column  object      bigint   id     file of the row, see table object; null where calls have times
-- column  variant     text     name   real or ideal, of tools that time a replay; else null
-- column  pass        bigint   id     pass of the loop, from 0
-- column  epoch       bigint   id     epoch as recorded; null when unknown
-- column  measure     text     name   steps, calls or pass; null when there is no total
-- column  has_ended   boolean  flag   whether a pass that was timed as a whole ended; null where none was
-- column  batches     bigint   count  batches
-- column  steps       bigint   count  batches in `load`
-- column  load        bigint   ns     time waited for batches; null when `total` is
-- column  total       bigint   ns     time that the ratios of the row are a share of; null when unknown
-- column  load_rest   bigint   ns     `load` without the first batch; null if there is no other
-- column  total_rest  bigint   ns     `total` without it
-- column  steps_rest  bigint   count  batches in `load_rest`
-- column  waited      bigint   ns     all waits, those that are compared with nothing, too
-- column  load_mean   double   ns     mean wait
-- column  load_std    double   ns     standard deviation of the waits, divisor n-1; null for one
-- column  load_min    bigint   ns     shortest wait
-- column  load_max    bigint   ns     longest wait
-- column  load_first  bigint   ns     wait for the first batch; null if it was excluded as corrupt
-- column  compute     bigint   ns     time of the work on the batches; null when unknown
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
    bool_or(is_recorded) AS is_recorded,
    count(*) AS batches,
    count(*) FILTER (WHERE NOT is_first) AS batches_rest,
    sum(load) AS load,
    avg(load) AS load_mean,
    stddev(load) AS load_std,
    min(load) AS load_min,
    max(load) AS load_max,
    max(CASE WHEN is_first THEN load END) AS load_first,
    sum(compute) AS compute,
    sum(load) FILTER (WHERE NOT is_first) AS load_rest,
    count(step_dur) AS steps,
    sum(step_dur) AS step,
    sum(step_dur - compute) AS step_load,
    count(step_dur) FILTER (WHERE NOT is_first) AS steps_rest,
    sum(step_dur) FILTER (WHERE NOT is_first) AS step_rest,
    sum(step_dur - compute) FILTER (WHERE NOT is_first) AS step_load_rest
  FROM loader_batch
  GROUP BY run, node, rank, pid, loader, object, variant, pass
),

measured AS (
  SELECT
    s.*,
    t.dur AS pass_dur,
    CASE WHEN t.run IS NOT NULL THEN t.dur IS NOT NULL END AS has_ended,
    CASE WHEN s.is_recorded THEN 'steps' WHEN s.step IS NOT NULL THEN 'calls' WHEN t.dur IS NOT NULL THEN 'pass' END AS measure
  FROM summed AS s
  LEFT JOIN timed AS t ON t.run = s.run AND t.object = s.object AND (t.loader IS NOT DISTINCT FROM s.loader)
)

SELECT
  * EXCLUDE (
    is_recorded, batches_rest, steps, load, load_rest, steps_rest, step, step_load, step_rest, step_load_rest, pass_dur
  ),
  CASE measure WHEN 'pass' THEN batches ELSE steps END AS steps,
  CASE measure WHEN 'pass' THEN load ELSE step_load END AS load,
  CASE measure WHEN 'pass' THEN pass_dur ELSE step END AS total,
  CASE measure WHEN 'pass' THEN load_rest ELSE step_load_rest END AS load_rest,
  CASE measure WHEN 'pass' THEN pass_dur - (load - load_rest) ELSE step_rest END AS total_rest,
  CASE measure WHEN 'pass' THEN batches_rest ELSE steps_rest END AS steps_rest,
  load AS waited
FROM measured
ORDER BY run, node, rank, pid, loader, object, variant, pass
