-- What was one key metric of each run, and in which order did the runs start?
--
-- One row per run with a known value. `metric` is a numeric column of table `run`, or a share of the GPU-seconds that were idle:
-- `gpu_idle_ratio`, `gpu_idle_loader_ratio`, `gpu_idle_communication_ratio`, `gpu_idle_other_ratio`. Attribute `series` divides the runs
-- into series, so that only runs of one kind are compared. Runs without a value of this attribute are a series of their own.
--
-- Within a series, attribute `order_by` orders the runs, numerically if its value is a number. Without `order_by`, the start time orders
-- them. `position` counts them from 1. If `order_by` is given, runs with a null `order_value` are excluded.
--
-- `worse_sign` is the direction in which the metric is worse: 1 if more is worse, -1 if less is worse, null if neither is.
--
-- param   metric    text in step_p50|step_p95|steps|loader_ratio|gpu_utilization|gpus|recorded_s|gpu_s|idle_s|gpu_idle_ratio|gpu_idle_loader_ratio|gpu_idle_communication_ratio|gpu_idle_other_ratio = 'step_p50'  column of table `run`, or a share of idle GPU time
-- param   order_by  text in attribute = null  attribute that orders the runs, such as the number of a commit; null for the start time
-- param   series    text in attribute = null  attribute that divides the runs into series, such as the model; null for one series
--
-- column  run          text    id      name of the run
-- column  series       text    name    value of the attribute that divides the runs into series; null without one
-- column  position     bigint  id      position in its group, from 1
-- column  started      bigint  time    earliest time in its profile
-- column  order_value  text    name    value of the attribute that orders the runs; null without one
-- column  value        double  mixed   the metric, in the unit that it has in table `run`
-- column  worse_sign   bigint  factor  1 where more is worse, -1 where less is; null where neither is
--
-- needs   run
-- order   series, position
-- source  kineto, nsys, sagemaker_framework, sagemaker_system

WITH attributes_of_run AS (
  SELECT
    run,
    started,
    extract_arg(attributes, $series) AS series,
    extract_arg(attributes, $order_by) AS order_value,
    CASE $metric
      WHEN 'step_p50' THEN step_p50
      WHEN 'step_p95' THEN step_p95
      WHEN 'steps' THEN CAST(steps AS double)
      WHEN 'loader_ratio' THEN loader_ratio
      WHEN 'gpu_utilization' THEN gpu_utilization
      WHEN 'gpus' THEN CAST(gpus AS double)
      WHEN 'recorded_s' THEN recorded_s
      WHEN 'gpu_s' THEN gpu_s
      WHEN 'idle_s' THEN idle_s
      WHEN 'gpu_idle_ratio' THEN idle_s / nullif(gpu_s, 0)
      WHEN 'gpu_idle_loader_ratio' THEN idle_loader_s / nullif(gpu_s, 0)
      WHEN 'gpu_idle_communication_ratio' THEN idle_communication_s / nullif(gpu_s, 0)
      WHEN 'gpu_idle_other_ratio' THEN idle_other_s / nullif(gpu_s, 0)
    END AS value
  FROM run
)

SELECT
  *,
  CAST(
    row_number() OVER (PARTITION BY series ORDER BY try_cast(order_value AS double), order_value, started, run) AS bigint
  ) AS position,
  CASE
    WHEN $metric = 'gpu_utilization' THEN -1
    WHEN $metric NOT IN ('steps', 'gpus', 'recorded_s', 'gpu_s') THEN 1
  END AS worse_sign
FROM attributes_of_run
WHERE value IS NOT NULL AND ($order_by IS NULL OR order_value IS NOT NULL)
ORDER BY series, position
