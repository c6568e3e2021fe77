-- Were GPUs idle while cores were busy, or while they waited for disks or network?
--
-- smdebug's rules CPUBottleneck and IOBottleneck, over the whole run; `rules.cpu_bottleneck` and `rules.io_bottleneck` define them. The two
-- rules differ only in the metric of the core and in the published limits.
--
-- param   rule            text in CPUBottleneck|IOBottleneck = 'CPUBottleneck'        name of the rule in smdebug
-- param   defaults        text in history|rulesconfig|docs|reported = 'history'  source of the default limits
-- param   threshold       double = null                                          percent of violations above which the rule is triggered; null for the published limit
-- param   gpu_threshold   double = null                                          percent below which a GPU is idle; null for the published limit
-- param   core_threshold  double = null                                          percent above which a core is busy, or waits; null for the published limit
-- param   patience        bigint in 0.. = null                                   the rule needs more snapshots than this; null for the published limit
--
-- column  run              text     id     name of the run
-- column  triggered        boolean  flag   whether the rule is triggered
-- column  violations       bigint   count  snapshots with an idle GPU next to such a core
-- column  datapoints       bigint   count  snapshots, those of all machines
-- column  low_gpu          bigint   count  snapshots with an idle GPU
-- column  violation_ratio  double   ratio  violations among the snapshots
-- column  first_ts         bigint   time   first violation
-- column  last_ts          bigint   time   last violation
-- column  parameters       text     json   limits that were used
--
-- needs   rule_limit, system_extreme
-- order   run
-- source  sagemaker_system, nsys

WITH limits AS (
  SELECT
    run,
    coalesce($threshold, threshold, 50.0) AS threshold,
    coalesce($gpu_threshold, gpu_threshold, CASE WHEN $rule = 'IOBottleneck' AND $defaults = 'docs' THEN 70.0 ELSE 10.0 END)
      AS gpu_threshold,
    CASE $rule
      WHEN 'IOBottleneck' THEN coalesce($core_threshold, io_threshold, 50.0)
      ELSE coalesce($core_threshold, cpu_threshold, 90.0)
    END AS core_threshold,
    coalesce($patience, patience, CASE WHEN $rule = 'CPUBottleneck' AND $defaults = 'docs' THEN 100 ELSE 1000 END) AS patience
  FROM rule_limit($rule, $defaults)
),

judged AS (
  SELECT
    l.*,
    e.ts,
    coalesce(e.gpu_utilization < l.gpu_threshold / 100, false) AS idle,
    coalesce(CASE $rule WHEN 'IOBottleneck' THEN e.io_wait ELSE e.cpu_utilization END > l.core_threshold / 100, false) AS loaded
  FROM system_extreme AS e
  JOIN limits AS l ON l.run = e.run
),

counted AS (
  SELECT
    run,
    threshold,
    gpu_threshold,
    core_threshold,
    patience,
    count(*) FILTER (WHERE idle AND loaded) AS violations,
    count(*) AS datapoints,
    count(*) FILTER (WHERE idle) AS low_gpu,
    min(ts) FILTER (WHERE idle AND loaded) AS first_ts,
    max(ts) FILTER (WHERE idle AND loaded) AS last_ts
  FROM judged
  GROUP BY run, threshold, gpu_threshold, core_threshold, patience
)

SELECT
  run,
  datapoints > patience AND 100.0 * violations / datapoints > threshold AS triggered,
  violations,
  datapoints,
  low_gpu,
  CAST(violations AS double) / datapoints AS violation_ratio,
  first_ts,
  last_ts,
  '{"threshold":' || threshold || ',"gpu_threshold":' || gpu_threshold
  || CASE $rule WHEN 'IOBottleneck' THEN ',"io_threshold":' ELSE ',"cpu_threshold":' END || core_threshold
  || ',"patience":' || patience || '}' AS parameters
FROM counted
ORDER BY run
