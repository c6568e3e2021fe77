-- Was a GPU underused, or did its utilization fluctuate?
--
-- smdebug's rule LowGPUUtilization, over the whole run. One row per GPU. The rule is evaluated at the end of every minute (view
-- `system_recent`), including the last one, once there are more than `patience` values. The minute is a violation in two cases. Underused:
-- the 95th percentile of the last `window` values is below `threshold_p95`. Fluctuating: that percentile is above `threshold_p95`, and the
-- 5th percentile is below `threshold_p5`. One violation triggers the rule.
--
-- `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's package), docs (AWS's
-- guide of 2023) or reported (the run's own report, or history where it has no limit).
--
-- smdebug evaluates at the end of each of its one-minute windows, which share their borders, and never evaluates the last minute.
--
-- empty   no GPU was sampled (SageMaker Debugger's system metrics contain GPUs), or `defaults` is not history, rulesconfig, docs or reported
--
-- param   defaults       text in history|rulesconfig|docs|reported = 'history'  source of the default limits (see above)
-- param   threshold_p95  double = null                                          percent below which the 95th percentile means underused; null for the published limit
-- param   threshold_p5   double = null                                          percent below which the 5th percentile means fluctuating; null for the published limit
-- param   patience       bigint in 0.. = null                                   the rule needs more values than this; null for the published limit
-- param   window         bigint in 1.. = 500                                    number of last values to look at; 500 in all sources
--
-- column  run          text     id       name of the run
-- column  node         text     id       machine
-- column  device       text     name     the GPU
-- column  triggered    boolean  flag     whether the rule is triggered
-- column  violations   bigint   count    minutes that ended with the GPU underused or fluctuating
-- column  datapoints   bigint   count    values of the GPU
-- column  underused    bigint   count    minutes that ended with the GPU underused
-- column  fluctuating  bigint   count    minutes that ended with the GPU fluctuating
-- column  last_ts      bigint   time     start of the last such minute
-- column  recent_p5    double   percent  5th percentile of the last `window` values of the run
-- column  recent_p95   double   percent  95th percentile of the same
-- column  p25          double   percent  lower quartile
-- column  p50          double   percent  median
-- column  p75          double   percent  upper quartile
-- column  p95          double   percent  95th percentile
-- column  max          double   percent  maximum value
-- column  lower        double   percent  lower whisker
-- column  upper        double   percent  upper whisker
-- column  parameters   text     json     limits that were used
--
-- needs   rule_limit, system_recent, system_box
-- order   run, node, device
-- source  sagemaker_system

WITH limits AS (
  SELECT
    run,
    coalesce($threshold_p95, threshold_p95, 70.0) AS threshold_p95,
    coalesce($threshold_p5, threshold_p5, 10.0) AS threshold_p5,
    coalesce($patience, patience, 1000) AS patience
  FROM rule_limit('LowGPUUtilization', $defaults)
),

judged AS (
  SELECT
    r.*,
    '{"threshold_p95":' || l.threshold_p95 || ',"threshold_p5":' || l.threshold_p5 || ',"window":' || $window || ',"patience":'
    || l.patience || '}' AS parameters,
    r.n > l.patience AND r.p95 < l.threshold_p95 AS is_underused,
    r.n > l.patience AND r.p95 > l.threshold_p95 AND r.p5 < l.threshold_p5 AS fluctuates
  FROM system_recent($window) AS r
  JOIN limits AS l ON l.run = r.run
  WHERE r.resource = 'gpu' AND r.metric = 'utilization' AND r.device IS NOT NULL
),

counted AS (
  SELECT
    run,
    node,
    device,
    parameters,
    count(*) FILTER (WHERE is_underused) AS underused,
    count(*) FILTER (WHERE fluctuates) AS fluctuating,
    max(ts) FILTER (WHERE is_underused OR fluctuates) AS last_ts,
    last_value(p5 ORDER BY ts) AS recent_p5,
    last_value(p95 ORDER BY ts) AS recent_p95
  FROM judged
  GROUP BY run, node, device, parameters
)

SELECT
  c.*,
  c.underused + c.fluctuating > 0 AS triggered,
  c.underused + c.fluctuating AS violations,
  b.n AS datapoints,
  b.p25,
  b.p50,
  b.p75,
  b.p95,
  b.max,
  b.lower,
  b.upper
FROM counted AS c
JOIN system_box AS b ON b.run = c.run AND (b.node IS NOT DISTINCT FROM c.node) AND b.device = c.device
WHERE b.resource = 'gpu' AND b.metric = 'utilization' AND b.unit = 'percent'
ORDER BY run, node, device
