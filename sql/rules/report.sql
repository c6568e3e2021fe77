-- Which rules does a run break?
--
-- smdebug's ProfilerReport. One row per run and rule with something to judge, over the rows of the queries `rules.*`: a rule is triggered if
-- it is so for any machine, GPU, pair or process of the run, and violations and datapoints add up. A rule without data has no row.
--
-- empty   there are no runs, or `defaults` is none of history, rulesconfig, docs and reported
--
-- param   defaults  text = 'history'  whose limits hold: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history)
--
-- column  run         text     id     run
-- column  rule        text     name   name of the rule in smdebug
-- column  triggered   boolean  flag   whether it is triggered; null when that cannot be known
-- column  violations  bigint   count  what the rule counts as violations; null when that cannot be known
-- column  datapoints  bigint   count  what was judged
-- column  parameters  text     json   limits that were used; {} for a rule without
-- column  advice      text     text   what to do when it is triggered
--
-- needs   rules_batch_size, rules_cpu_bottleneck, rules_dataloader, rules_gpu_memory_increase, rules_io_bottleneck, rules_load_balancing, rules_low_gpu_utilization, rules_max_initialization_time, rules_overall_framework_metrics, rules_overall_system_usage, rules_step_outlier
-- order   run, rule
-- source  sagemaker_system, sagemaker_framework, kineto, nsys

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
),

summed AS (
  SELECT
    run,
    rule,
    bool_or(triggered) AS triggered,
    sum(violations) AS violations,
    sum(datapoints) AS datapoints,
    parameters
  FROM judged
  GROUP BY run, rule, parameters
)

SELECT s.run, s.rule, s.triggered, s.violations, s.datapoints, s.parameters, a.advice
FROM summed AS s
JOIN (
  VALUES
  ('BatchSize', 'try larger batches: cores, GPU and its memory all have room'),
  ('CPUBottleneck', 'give the preprocessing more workers or cores, or move it to the GPU'),
  ('Dataloader', 'set num_workers nearer to the number of cores'),
  ('GPUMemoryIncrease', 'look for tensors that are kept from step to step; smaller batches keep clear of the limit'),
  ('IOBottleneck', 'read ahead, cache, or keep the data nearer: cores wait for storage while GPUs idle'),
  ('LoadBalancing', 'share the work evenly between the GPUs, or take fewer of them'),
  ('LowGPUUtilization', 'look at the bottlenecks first, then at blocking calls; else take larger batches or a smaller GPU'),
  ('MaxInitializationTime', 'see what runs before the first step: downloads, compilation, preparation of the data'),
  ('OverallFrameworkMetrics', 'never triggered: rules.overall_framework_metrics says where the time goes'),
  ('OverallSystemUsage', 'never triggered: rules.overall_system_usage says how busy the machines were'),
  ('StepOutlier', 'see what the long steps share: checkpoints, validation, slow batches, a busy neighbor')
) AS a (rule, advice) ON a.rule = s.rule
WHERE $defaults IN ('history', 'rulesconfig', 'docs', 'reported')
ORDER BY run, rule
