-- Does the hardware have room for larger batches?
--
-- smdebug's rule BatchSize, over the whole run. One row per GPU. The rule is evaluated at the end of every minute (view `system_recent`),
-- including the last one, once there are more than `patience` and more than `window` values. It uses the 95th percentiles of the last
-- `window` values of the cores (their mean), of the GPU and of its memory. A minute is a violation when all three percentiles are below
-- their limits. One violation triggers the rule.
--
-- `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's package), docs (AWS's
-- guide of 2023) or reported (the run's own report, or history where it has no limit).
--
-- smdebug evaluates at the end of each of its one-minute windows, which share their borders, and never evaluates the last minute. In its
-- box plot, the whiskers of the memory use a quartile of the GPU's utilization; here they use the quartiles of the memory.
--
-- empty   cores, a GPU and its memory were not all sampled (SageMaker Debugger's system metrics contain all three), or `defaults` is not history, rulesconfig, docs or reported
--
-- param   defaults                  text in history|rulesconfig|docs|reported = 'history'  source of the default limits (see above)
-- param   cpu_threshold_p95         double = null                                          percent below which the cores have room; null for the published limit
-- param   gpu_threshold_p95         double = null                                          percent below which a GPU has room; null for the published limit
-- param   gpu_memory_threshold_p95  double = null                                          percent below which its memory has room; null for the published limit
-- param   patience                  bigint in 0.. = null                                   the rule needs more values than this; null for the published limit
-- param   window                    bigint in 1.. = 500                                    number of last values to look at; 500 in all sources
--
-- column  run           text     id       name of the run
-- column  node          text     id       machine
-- column  device        text     name     the GPU
-- column  triggered     boolean  flag     whether the rule is triggered
-- column  violations    bigint   count    minutes that ended with room
-- column  datapoints    bigint   count    values of the GPU
-- column  last_ts       bigint   time     start of the last such minute
-- column  cpu_p25       double   percent  lower quartile of the mean over the cores
-- column  cpu_p50       double   percent  median
-- column  cpu_p75       double   percent  upper quartile
-- column  cpu_p95       double   percent  95th percentile
-- column  cpu_lower     double   percent  lower whisker of the box plot
-- column  cpu_upper     double   percent  upper whisker
-- column  gpu_p25       double   percent  lower quartile of the GPU's utilization
-- column  gpu_p50       double   percent  median
-- column  gpu_p75       double   percent  upper quartile
-- column  gpu_p95       double   percent  95th percentile
-- column  gpu_lower     double   percent  lower whisker of the box plot
-- column  gpu_upper     double   percent  upper whisker
-- column  memory_p25    double   percent  lower quartile of the GPU's memory
-- column  memory_p50    double   percent  median
-- column  memory_p75    double   percent  upper quartile
-- column  memory_p95    double   percent  95th percentile
-- column  memory_lower  double   percent  lower whisker of the box plot
-- column  memory_upper  double   percent  upper whisker
-- column  parameters    text     json     limits that were used
--
-- needs   rule_limit, evidence_minute, system_box
-- order   run, node, device
-- source  sagemaker_system

WITH limits AS (
  SELECT
    run,
    coalesce($cpu_threshold_p95, cpu_threshold_p95, 70.0) AS cpu_limit,
    coalesce($gpu_threshold_p95, gpu_threshold_p95, 70.0) AS gpu_limit,
    coalesce($gpu_memory_threshold_p95, gpu_memory_threshold_p95, 70.0) AS memory_limit,
    coalesce($patience, patience, CASE $defaults WHEN 'docs' THEN 100 ELSE 1000 END) AS patience
  FROM rule_limit('BatchSize', $defaults)
),

judged AS (
  SELECT
    g.*,
    '{"cpu_threshold_p95":' || l.cpu_limit || ',"gpu_threshold_p95":' || l.gpu_limit || ',"gpu_memory_threshold_p95":'
    || l.memory_limit || ',"patience":' || l.patience || ',"window":' || $window || '}' AS parameters,
    least(g.cpu_n, g.n, g.memory_n) > greatest(l.patience, $window)
    AND g.cpu_p95 < l.cpu_limit
    AND g.p95 < l.gpu_limit
    AND g.memory_p95 < l.memory_limit AS violates
  FROM evidence_minute($window) AS g
  JOIN limits AS l ON l.run = g.run
  WHERE g.cpu_n IS NOT NULL AND g.n IS NOT NULL AND g.memory_n IS NOT NULL
),

counted AS (
  SELECT
    run,
    node,
    device,
    parameters,
    count(*) FILTER (WHERE violates) AS violations,
    max(ts) FILTER (WHERE violates) AS last_ts
  FROM judged
  GROUP BY run, node, device, parameters
),

box AS (
  SELECT run, node, resource, metric, device, n, p25, p50, p75, p95, lower, upper
  FROM system_box
  WHERE unit = 'percent'
)

SELECT
  j.*,
  j.violations > 0 AS triggered,
  g.n AS datapoints,
  c.p25 AS cpu_p25,
  c.p50 AS cpu_p50,
  c.p75 AS cpu_p75,
  c.p95 AS cpu_p95,
  c.lower AS cpu_lower,
  c.upper AS cpu_upper,
  g.p25 AS gpu_p25,
  g.p50 AS gpu_p50,
  g.p75 AS gpu_p75,
  g.p95 AS gpu_p95,
  g.lower AS gpu_lower,
  g.upper AS gpu_upper,
  m.p25 AS memory_p25,
  m.p50 AS memory_p50,
  m.p75 AS memory_p75,
  m.p95 AS memory_p95,
  m.lower AS memory_lower,
  m.upper AS memory_upper
FROM counted AS j
JOIN box AS g
  ON
    g.run = j.run
    AND (g.node IS NOT DISTINCT FROM j.node)
    AND g.device = j.device
    AND g.resource = 'gpu'
    AND g.metric = 'utilization'
JOIN box AS m
  ON
    m.run = j.run
    AND (m.node IS NOT DISTINCT FROM j.node)
    AND m.device = j.device
    AND m.resource = 'gpu'
    AND m.metric = 'memory_utilization'
JOIN box AS c
  ON
    c.run = j.run
    AND (c.node IS NOT DISTINCT FROM j.node)
    AND c.device IS NULL
    AND c.resource = 'cpu'
    AND c.metric = 'utilization'
ORDER BY run, node, device
