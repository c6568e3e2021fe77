-- Do the rules say today what they said while the job ran?
--
-- One row per report of a rule that the job left (`rules.reported`), with what `rules.report` says about the run. The run is judged by the
-- limits that its reports name, unless `defaults` says otherwise; a rule looks back at 500 values (`window` of LowGPUUtilization and of
-- BatchSize) whatever the report says. `why` has the first reason for other numbers: limits that differ, other datapoints, or that the
-- two count differently.
--
-- smdebug judges a job minute by minute, counts what lies on a border twice, and leaves out the last minute: its datapoints differ as a rule.
--
-- empty   the profile holds no report of a rule: ingest the job's rule-output as well, under the same run
--
-- param   defaults  text = 'reported'  whose limits hold here: reported (those of the report, else history), history (the code), rulesconfig or docs (both AWS)
--
-- column  run                  text     id     run
-- column  rule                 text     name   name of the rule
-- column  reported_triggered   boolean  flag   whether it was triggered
-- column  triggered            boolean  flag   whether it is triggered here; null when that cannot be known
-- column  agrees               boolean  flag   whether the two verdicts are the same; null without one of them
-- column  reported_violations  bigint   count  violations as reported
-- column  violations           bigint   count  violations here
-- column  reported_datapoints  bigint   count  what was judged
-- column  datapoints           bigint   count  what is judged here
-- column  reported_parameters  text     json   limits of the report
-- column  parameters           text     json   limits here
-- column  why                  text     text   why the numbers differ; null where all three are the same
-- column  object               bigint   id     file of the report, see table object
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

-- The numbers that both name.
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
  t.triggered > 0 AS reported_triggered,
  o.triggered,
  (t.triggered > 0) = o.triggered AS agrees,
  t.violations AS reported_violations,
  o.violations,
  t.datapoints AS reported_datapoints,
  o.datapoints,
  t.parameters AS reported_parameters,
  o.parameters,
  CASE
    WHEN o.rule IS NULL THEN 'not judged here: the run holds nothing for it, or there is no such rule'
    WHEN
      ((t.triggered > 0) IS NOT DISTINCT FROM o.triggered)
      AND (t.violations IS NOT DISTINCT FROM o.violations)
      AND (t.datapoints IS NOT DISTINCT FROM o.datapoints) THEN NULL
    WHEN d.limits IS NOT NULL THEN 'other limits: ' || d.limits
    WHEN o.triggered IS NULL THEN 'not known here: the run does not hold all that the rule needs'
    WHEN t.datapoints IS DISTINCT FROM o.datapoints
      THEN 'other datapoints: smdebug judges whole minutes, and not the last one; here the whole run'
    ELSE 'counted differently: docs/rules.md says how each rule differs'
  END AS why,
  t.object
FROM rule_report AS t
LEFT JOIN ours AS o ON o.run = t.run AND o.rule = t.rule
LEFT JOIN differing AS d ON d.run = t.run AND d.rule = t.rule AND d.object = t.object
ORDER BY run, rule, object
