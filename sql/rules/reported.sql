-- What did the rules report while the job ran?
--
-- One row per rule report that the job wrote (`rule-output/` of SageMaker Debugger), unchanged. `rules.compared` shows next to it what the
-- rules report today.
--
-- smdebug counts a rule as triggered once for each window in which its condition was true.
--
-- empty   the profile contains no report of a rule; ingest the job's rule-output as well, under the same run
--
-- column  run              text     id     name of the run
-- column  rule             text     name   name of the rule
-- column  triggered        boolean  flag   whether the rule is triggered
-- column  times_triggered  bigint   count  how often it was triggered
-- column  violations       bigint   count  what it counted as violations
-- column  datapoints       bigint   count  what was judged
-- column  parameters       text     json   limits that were used
-- column  details          text     json   what else it reported
-- column  object           bigint   id     file of the row, see table object
--
-- needs   rule_report
-- order   run, rule, object
-- source  sagemaker_rule_report

SELECT run, rule, times_triggered > 0 AS triggered, times_triggered, violations, datapoints, parameters, details, object
FROM rule_report
ORDER BY run, rule, object
