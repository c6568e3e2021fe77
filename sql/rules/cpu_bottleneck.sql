-- Were GPUs idle while cores were busy?
--
-- smdebug's rule CPUBottleneck, over the whole run. One row per run. A snapshot of a machine (view `system_extreme`) is a violation when
-- its least busy GPU is below `gpu_threshold` and its busiest core is above `cpu_threshold`. The rule is triggered when there are more than
-- `patience` snapshots and more than `threshold` percent of them are violations. `utilization.cpu_bottleneck` lists such snapshots.
--
-- `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's package), docs (AWS's
-- guide of 2023) or reported (the run's own report, or history where it has no limit).
--
-- smdebug counts a snapshot on the border of two of its windows twice, and no snapshot of the last minute.
--
-- empty   no machine was sampled (SageMaker Debugger records system metrics), or `defaults` is not history, rulesconfig, docs or reported
--
-- param   defaults       text in history|rulesconfig|docs|reported = 'history'  source of the default limits (see above)
-- param   threshold      double = null                                          percent of violations above which the rule is triggered; null for the published limit
-- param   gpu_threshold  double = null                                          percent below which a GPU is idle; null for the published limit
-- param   cpu_threshold  double = null                                          percent above which a core is busy; null for the published limit
-- param   patience       bigint in 0.. = null                                   the rule needs more snapshots than this; null for the published limit
--
-- column  run              text     id     name of the run
-- column  triggered        boolean  flag   whether the rule is triggered
-- column  violations       bigint   count  snapshots with an idle GPU next to a busy core
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

WITH published AS (
  SELECT threshold, gpu_threshold, cpu_threshold, patience
  FROM (
    VALUES
    ('history', 50.0, 10.0, 90.0, 1000),
    ('rulesconfig', 50.0, 10.0, 90.0, 1000),
    ('docs', 50.0, 10.0, 90.0, 100)
  ) AS p (defaults, threshold, gpu_threshold, cpu_threshold, patience)
  WHERE defaults = CASE $defaults WHEN 'reported' THEN 'history' ELSE $defaults END
),

limits AS (
  SELECT
    r.run,
    coalesce($threshold, r.threshold, p.threshold) AS threshold,
    coalesce($gpu_threshold, r.gpu_threshold, p.gpu_threshold) AS gpu_threshold,
    coalesce($cpu_threshold, r.cpu_threshold, p.cpu_threshold) AS cpu_threshold,
    coalesce($patience, r.patience, p.patience) AS patience
  FROM published AS p
  CROSS JOIN rule_limit('CPUBottleneck', $defaults) AS r
),

judged AS (
  SELECT
    e.run,
    e.ts,
    l.threshold,
    l.gpu_threshold,
    l.cpu_threshold,
    l.patience,
    coalesce(e.gpu_utilization < l.gpu_threshold / 100, false) AS idle,
    coalesce(e.gpu_utilization < l.gpu_threshold / 100 AND e.cpu_utilization > l.cpu_threshold / 100, false) AS violates
  FROM system_extreme AS e
  JOIN limits AS l ON l.run = e.run
),

counted AS (
  SELECT
    run,
    threshold,
    gpu_threshold,
    cpu_threshold,
    patience,
    count(*) FILTER (WHERE violates) AS violations,
    count(*) AS datapoints,
    count(*) FILTER (WHERE idle) AS low_gpu,
    min(ts) FILTER (WHERE violates) AS first_ts,
    max(ts) FILTER (WHERE violates) AS last_ts
  FROM judged
  GROUP BY run, threshold, gpu_threshold, cpu_threshold, patience
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
  '{"threshold":' || threshold || ',"gpu_threshold":' || gpu_threshold || ',"cpu_threshold":' || cpu_threshold
  || ',"patience":' || patience || '}' AS parameters
FROM counted
ORDER BY run
