-- Which limits did the report of a rule in each run use?
--
-- One row per run, with a column for each limit of any rule. The limits are those of the last report of `rule` that the job wrote. A limit
-- is null if the report does not have it as a number, if there is no report, and if `defaults` requests other limits. The view has no
-- rows without `defaults`.
--
-- param   rule      text = 'CPUBottleneck'                                  name of the rule in smdebug
-- param   defaults  text in history|rulesconfig|docs|reported = 'reported'  source of the limits
--
-- column  run                       text    id     name of the run
-- column  threshold                 double  mixed  limit `threshold`
-- column  gpu_threshold             double  mixed  limit `gpu_threshold`
-- column  cpu_threshold             double  mixed  limit `cpu_threshold`
-- column  io_threshold              double  mixed  limit `io_threshold`
-- column  increase                  double  mixed  limit `increase`
-- column  threshold_p95             double  mixed  limit `threshold_p95`
-- column  threshold_p5              double  mixed  limit `threshold_p5`
-- column  cpu_threshold_p95         double  mixed  limit `cpu_threshold_p95`
-- column  gpu_threshold_p95         double  mixed  limit `gpu_threshold_p95`
-- column  gpu_memory_threshold_p95  double  mixed  limit `gpu_memory_threshold_p95`
-- column  stddev                    double  mixed  limit `stddev`
-- column  min_threshold             double  mixed  limit `min_threshold`
-- column  max_threshold             double  mixed  limit `max_threshold`
-- column  patience                  bigint  count  limit `patience`
-- column  n_outliers                bigint  count  limit `n_outliers`
-- column  width                     bigint  count  limit `window`; null below 2
--
-- needs   run, rule_report
-- order   run
-- source  sagemaker_rule_report

WITH reported AS (
  SELECT run, last_value(parameters ORDER BY object, row) AS parameters
  FROM rule_report
  WHERE rule = $rule AND $defaults = 'reported'
  GROUP BY run
)

SELECT
  r.run,
  TRY_CAST(extract_arg(t.parameters, 'threshold') AS double) AS threshold,
  TRY_CAST(extract_arg(t.parameters, 'gpu_threshold') AS double) AS gpu_threshold,
  TRY_CAST(extract_arg(t.parameters, 'cpu_threshold') AS double) AS cpu_threshold,
  TRY_CAST(extract_arg(t.parameters, 'io_threshold') AS double) AS io_threshold,
  TRY_CAST(extract_arg(t.parameters, 'increase') AS double) AS increase,
  TRY_CAST(extract_arg(t.parameters, 'threshold_p95') AS double) AS threshold_p95,
  TRY_CAST(extract_arg(t.parameters, 'threshold_p5') AS double) AS threshold_p5,
  TRY_CAST(extract_arg(t.parameters, 'cpu_threshold_p95') AS double) AS cpu_threshold_p95,
  TRY_CAST(extract_arg(t.parameters, 'gpu_threshold_p95') AS double) AS gpu_threshold_p95,
  TRY_CAST(extract_arg(t.parameters, 'gpu_memory_threshold_p95') AS double) AS gpu_memory_threshold_p95,
  TRY_CAST(extract_arg(t.parameters, 'stddev') AS double) AS stddev,
  TRY_CAST(extract_arg(t.parameters, 'min_threshold') AS double) AS min_threshold,
  TRY_CAST(extract_arg(t.parameters, 'max_threshold') AS double) AS max_threshold,
  TRY_CAST(TRY_CAST(extract_arg(t.parameters, 'patience') AS double) AS bigint) AS patience,
  TRY_CAST(TRY_CAST(extract_arg(t.parameters, 'n_outliers') AS double) AS bigint) AS n_outliers,
  -- A window below 2 becomes null: there is no other mean to compare its mean with.
  nullif(greatest(TRY_CAST(TRY_CAST(extract_arg(t.parameters, 'window') AS double) AS bigint), 1), 1) AS width
FROM run AS r
LEFT JOIN reported AS t ON t.run = r.run
WHERE $defaults IS NOT NULL
ORDER BY run
