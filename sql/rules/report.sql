-- Which rules does a run trigger?
--
-- smdebug's ProfilerReport. One row per run and rule that has data, over the rows of the queries `rules.*`. A rule is triggered if it is
-- triggered for any machine, GPU, pair or process of the run. Violations and datapoints add up. A rule without data has no row.
--
-- `defaults` selects the source of the limits: history (smdebug's code), rulesconfig (AWS's package), docs (AWS's guide of 2023) or
-- reported (the run's own report, or history where it has no limit).
--
-- empty   there are no runs (ingest a profile first), or `defaults` is not history, rulesconfig, docs or reported
--
-- param   defaults  text in history|rulesconfig|docs|reported = 'history'  source of the default limits (see above)
--
-- column  run         text     id     name of the run
-- column  rule        text     name   name of the rule
-- column  triggered   boolean  flag   whether the rule is triggered; null when that cannot be known
-- column  violations  bigint   count  what the rule counts as violations; null when that cannot be known
-- column  datapoints  bigint   count  what was judged
-- column  parameters  text     json   limits that were used; {} for a rule without
-- column  advice      text     text   what to do when it is triggered
--
-- needs   rules_batch_size, rules_cpu_bottleneck, rules_dataloader, rules_gpu_memory_increase, rules_io_bottleneck, rules_load_balancing, rules_low_gpu_utilization, rules_max_initialization_time, rules_overall_framework_metrics, rules_overall_system_usage, rules_step_outlier
-- order   run, rule

WITH judged AS (
  SELECT run, 'BatchSize' AS rule, triggered, violations, datapoints, parameters
  FROM rules_batch_size($defaults)
  UNION ALL
  SELECT run, 'CPUBottleneck' AS rule, triggered, violations, datapoints, parameters
  FROM rules_cpu_bottleneck($defaults)
  UNION ALL
  SELECT run, 'Dataloader' AS rule, triggered, violations, datapoints, parameters
  FROM rules_dataloader($defaults)
  UNION ALL
  SELECT run, 'GPUMemoryIncrease' AS rule, triggered, violations, datapoints, parameters
  FROM rules_gpu_memory_increase($defaults)
  UNION ALL
  SELECT run, 'IOBottleneck' AS rule, triggered, violations, datapoints, parameters
  FROM rules_io_bottleneck($defaults)
  UNION ALL
  SELECT run, 'LoadBalancing' AS rule, triggered, violations, datapoints, parameters
  FROM rules_load_balancing($defaults)
  UNION ALL
  SELECT run, 'LowGPUUtilization' AS rule, triggered, violations, datapoints, parameters
  FROM rules_low_gpu_utilization($defaults)
  UNION ALL
  SELECT run, 'MaxInitializationTime' AS rule, triggered, violations, datapoints, parameters
  FROM rules_max_initialization_time($defaults)
  UNION ALL
  SELECT run, 'OverallFrameworkMetrics' AS rule, triggered, violations, datapoints, '{}' AS parameters
  FROM rules_overall_framework_metrics
  UNION ALL
  SELECT run, 'OverallSystemUsage' AS rule, triggered, violations, datapoints, '{}' AS parameters
  FROM rules_overall_system_usage
  UNION ALL
  SELECT run, 'StepOutlier' AS rule, triggered, violations, datapoints, parameters
  FROM rules_step_outlier($defaults)
)

SELECT
  j.run,
  j.rule,
  bool_or(j.triggered) AS triggered,
  sum(j.violations) AS violations,
  sum(j.datapoints) AS datapoints,
  j.parameters,
  a.advice
FROM judged AS j
JOIN (
  VALUES
  ('BatchSize', 'try larger batches: cores, GPU and its memory all have room'),
  ('CPUBottleneck', 'use more workers or cores for preprocessing, or move it to the GPU'),
  ('Dataloader', 'set num_workers closer to the number of cores'),
  ('GPUMemoryIncrease', 'look for tensors that stay in memory from step to step; smaller batches stay below the memory limit'),
  ('IOBottleneck', 'prefetch, cache, or move the data closer: cores wait for storage while GPUs are idle'),
  ('LoadBalancing', 'distribute the work evenly between the GPUs, or use fewer GPUs'),
  ('LowGPUUtilization', 'check for bottlenecks first, then for blocking calls; otherwise use larger batches or a smaller GPU'),
  ('MaxInitializationTime', 'check what runs before the first step: downloads, compilation, data preparation'),
  ('OverallFrameworkMetrics', 'never triggered: rules.overall_framework_metrics shows where the time goes'),
  ('OverallSystemUsage', 'never triggered: rules.overall_system_usage shows how busy the machines were'),
  ('StepOutlier', 'check what the long steps have in common: checkpoints, validation, slow batches, other jobs on the machine')
) AS a (rule, advice) ON a.rule = j.rule
WHERE $defaults IN ('history', 'rulesconfig', 'docs', 'reported')
GROUP BY j.run, j.rule, j.parameters, a.advice
ORDER BY run, rule
