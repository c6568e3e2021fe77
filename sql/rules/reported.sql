-- What did the rules say while the job ran?
--
-- One row per report of a rule that the job left (`rule-output/` of SageMaker Debugger), as it stands there. `rules.compared` has what the
-- rules say today beside it.
--
-- smdebug counts a rule as triggered once for each window in which its condition held.
--
-- empty   the profile holds no report of a rule: ingest the job's rule-output as well, under the same run
--
-- column  run         text     id     run
-- column  rule        text     name   name of the rule
-- column  triggered   boolean  flag   whether it was triggered
-- column  times       bigint   count  how often it was triggered
-- column  violations  bigint   count  what it counted as violations
-- column  datapoints  bigint   count  what was judged
-- column  parameters  text     json   limits that were used
-- column  details     text     json   what else it reported
-- column  object      bigint   id     file of the report, see table object
--
-- needs   rule_report
-- order   run, rule, object
-- source  sagemaker_rule_report

SELECT run, rule, triggered > 0 AS triggered, triggered AS times, violations, datapoints, parameters, details, object
FROM rule_report
ORDER BY run, rule, object
