-- What was one key figure of each run, and in which order did the runs come?
--
-- One row per run whose figure is known. `figure` is a column of table `run` with a number, or the share of the GPU-seconds that
-- were idle: `idle_ratio`, `idle_loader_ratio`, `idle_communication_ratio`, `idle_other_ratio`. Runs are divided by the value
-- of attribute `series`, so that only runs of one kind are compared, and ordered within it by attribute `position`, by number
-- where it is one, or else by the time at which they started. `place` counts them from 1. Runs without a value of attribute
-- `position` are left out; those without one of `series` are a series of their own.
--
-- `worse` says in which direction the figure is worse: 1 where more is, -1 where less is, null where neither is.
--
-- param   figure    text = 'step_p50'  which figure
-- param   position  text = null        attribute that orders the runs, such as the number of a commit; null for the start
-- param   series    text = null        attribute that divides the runs, such as the model; null for one series
--
-- column  run       text    id     name of the run
-- column  series    text    name   value of the attribute that divides them; null without one
-- column  place     bigint  id     place of the run in its series, from 1
-- column  started   bigint  time   earliest time in its profile
-- column  position  text    name   value of the attribute that orders them; null without one
-- column  value     double  mixed  the figure, in the unit that it has in table `run`
-- column  worse     bigint  factor 1 where more is worse, -1 where less is; null where neither is
--
-- needs   run
-- order   series, place
-- source  kineto, nsys, sagemaker_framework, sagemaker_system

WITH told AS (
  SELECT
    run,
    started,
    extract_arg(attributes, $series) AS series,
    extract_arg(attributes, $position) AS position,
    CASE $figure
      WHEN 'step_p50' THEN step_p50
      WHEN 'step_p95' THEN step_p95
      WHEN 'steps' THEN CAST(steps AS double)
      WHEN 'loader_ratio' THEN loader_ratio
      WHEN 'gpu_percent' THEN gpu_percent
      WHEN 'gpus' THEN CAST(gpus AS double)
      WHEN 'recorded_s' THEN recorded_s
      WHEN 'gpu_s' THEN gpu_s
      WHEN 'idle_s' THEN idle_s
      WHEN 'idle_ratio' THEN idle_s / nullif(gpu_s, 0)
      WHEN 'idle_loader_ratio' THEN idle_loader_s / nullif(gpu_s, 0)
      WHEN 'idle_communication_ratio' THEN idle_communication_s / nullif(gpu_s, 0)
      WHEN 'idle_other_ratio' THEN idle_other_s / nullif(gpu_s, 0)
    END AS value
  FROM run
)

SELECT
  run,
  series,
  CAST(
    row_number() OVER (PARTITION BY series ORDER BY try_cast(position AS double), position, started, run) AS bigint
  ) AS place,
  started,
  position,
  value,
  CASE
    WHEN $figure = 'gpu_percent' THEN -1
    WHEN $figure NOT IN ('steps', 'gpus', 'recorded_s', 'gpu_s') THEN 1
  END AS worse
FROM told
WHERE value IS NOT NULL AND ($position IS NULL OR position IS NOT NULL)
ORDER BY series, place
