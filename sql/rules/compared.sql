-- Do the rules report the same today as while the job ran?
--
-- One row per rule report that the job wrote (`rules.reported`), together with what `rules.report` says about the run. By default, the run
-- is evaluated with the limits in its own reports. LowGPUUtilization and BatchSize always use the last 500 values (`window`), whatever the
-- report says. `why` has the first reason for different numbers: different limits, different datapoints, or a different way of counting.
--
-- `defaults` selects the source of the limits: reported (the run's own report, or history where it has no limit), history (smdebug's code),
-- rulesconfig (AWS's package) or docs (AWS's guide of 2023).
--
-- smdebug evaluates a job minute by minute, counts values on a border twice, and skips the last minute. Its datapoints therefore usually
-- differ.
--
-- empty   the profile contains no report of a rule; ingest the job's rule-output as well, under the same run
--
-- param   defaults  text in history|rulesconfig|docs|reported = 'reported'  source of the limits (see above)
--
-- column  run                  text     id     name of the run
-- column  rule                 text     name   name of the rule
-- column  reported_triggered   boolean  flag   whether it was triggered
-- column  triggered            boolean  flag   whether the rule is triggered; null when that cannot be known
-- column  agrees               boolean  flag   whether the two verdicts are the same; null without one of them
-- column  reported_violations  bigint   count  violations as reported
-- column  violations           bigint   count  violations here
-- column  reported_datapoints  bigint   count  what was judged
-- column  datapoints           bigint   count  what is judged here
-- column  reported_parameters  text     json   limits of the report
-- column  parameters           text     json   limits that were used
-- column  why                  text     text   why the result is null; or why the numbers differ; null where all are the same
-- column  object               bigint   id     file of the row, see table object
--
-- needs   rule_report, rules_report
-- order   run, rule, object
-- source  sagemaker_rule_report, sagemaker_system, sagemaker_framework, kineto, nsys

WITH ours AS (
  SELECT run, rule, triggered, violations, datapoints, parameters
  FROM rules_report($defaults)
),

reported_item AS (
  SELECT run, rule, object, unnest(string_to_array(btrim(parameters, '{}'), ',')) AS item
  FROM rule_report
),

item AS (
  SELECT run, rule, unnest(string_to_array(btrim(parameters, '{}'), ',')) AS item
  FROM ours
),

-- Limits that are numbers in both, with different values.
differing AS (
  SELECT
    t.run,
    t.rule,
    t.object,
    array_to_string(
      array_agg(t.name || ' ' || t.value || ' reported, ' || o.value || ' here' ORDER BY t.name), '; '
    ) AS limits
  FROM (
    SELECT
      run,
      rule,
      object,
      btrim(split_part(item, ':', 1), '" ') AS name,
      TRY_CAST(split_part(item, ':', 2) AS double) AS value
    FROM reported_item
  ) AS t
  JOIN (
    SELECT run, rule, btrim(split_part(item, ':', 1), '" ') AS name, TRY_CAST(split_part(item, ':', 2) AS double) AS value
    FROM item
  ) AS o ON o.run = t.run AND o.rule = t.rule AND o.name = t.name
  WHERE o.value <> t.value
  GROUP BY t.run, t.rule, t.object
)

SELECT
  t.run,
  t.rule,
  t.times_triggered > 0 AS reported_triggered,
  o.triggered,
  (t.times_triggered > 0) = o.triggered AS agrees,
  t.violations AS reported_violations,
  o.violations,
  t.datapoints AS reported_datapoints,
  o.datapoints,
  t.parameters AS reported_parameters,
  o.parameters,
  CASE
    WHEN o.rule IS NULL THEN 'not judged here: the run has no data for the rule, or tracelake does not have the rule'
    WHEN
      ((t.times_triggered > 0) IS NOT DISTINCT FROM o.triggered)
      AND (t.violations IS NOT DISTINCT FROM o.violations)
      AND (t.datapoints IS NOT DISTINCT FROM o.datapoints) THEN NULL
    WHEN d.limits IS NOT NULL THEN 'other limits: ' || d.limits
    WHEN o.triggered IS NULL THEN 'not known here: the run does not have all the data that the rule needs'
    WHEN t.datapoints IS DISTINCT FROM o.datapoints
      THEN 'other datapoints: smdebug judges whole minutes and skips the last one; tracelake judges the whole run'
    ELSE 'counted differently: docs/rules.md describes how each rule differs'
  END AS why,
  t.object
FROM rule_report AS t
LEFT JOIN ours AS o ON o.run = t.run AND o.rule = t.rule
LEFT JOIN differing AS d ON d.run = t.run AND d.rule = t.rule AND d.object = t.object
ORDER BY run, rule, object
