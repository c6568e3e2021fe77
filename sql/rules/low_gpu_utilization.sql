-- Was a GPU underused, or did its use fluctuate?
--
-- smdebug's rule LowGPUUtilization, over the whole run. One row per GPU. It is judged at the end of every minute (view
-- `system_recent`), the last one included, once it has more than `patience` values. The minute is a violation when the 95th percentile of
-- the last `window` values is below `threshold_p95` (underused), or that is above and the 5th percentile below `threshold_p5`
-- (fluctuating). One violation triggers the rule.
--
-- smdebug judges at the end of each of its windows of a minute, which share their borders, and never sees the last minute.
--
-- empty   no GPU was sampled, or `defaults` is none of history, rulesconfig, docs and reported
--
-- param   defaults       text = 'history'    whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history)
-- param   threshold_p95  double = null       percent below which the 95th percentile means that a GPU is underused; null for the published one
-- param   threshold_p5   double = null       percent below which the 5th percentile means that its use fluctuates; null for the published one
-- param   patience       bigint >= 0 = null  values that there must be more than; null for the published one
-- param   window         bigint >= 1 = 500   values looked back at; all sources say 500
--
-- column  run          text     id       run
-- column  node         text     id       machine
-- column  device       text     name     the GPU
-- column  triggered    boolean  flag     whether the rule is triggered
-- column  violations   bigint   count    minutes at whose end the GPU was underused or fluctuated
-- column  datapoints   bigint   count    values of the GPU
-- column  underused    bigint   count    minutes at whose end it was underused
-- column  fluctuating  bigint   count    minutes at whose end it fluctuated
-- column  last_ts      bigint   time     start of the last such minute
-- column  recent_p5    double   percent  5th percentile of the last `window` values of the run
-- column  recent_p95   double   percent  95th percentile of the same
-- column  p25          double   percent  lower quartile of all values
-- column  p50          double   percent  median
-- column  p75          double   percent  upper quartile
-- column  p95          double   percent  95th percentile
-- column  max          double   percent  greatest value
-- column  lower        double   percent  lower whisker of the box plot
-- column  upper        double   percent  upper whisker
-- column  parameters   text     json     limits that were used
--
-- needs   rule_limit, system_recent, system_box
-- order   run, node, device
-- source  sagemaker_system

WITH published AS (
  SELECT threshold_p95, threshold_p5, patience
  FROM (
    VALUES
    ('history', 70.0, 10.0, 1000),
    ('rulesconfig', 70.0, 10.0, 1000),
    ('docs', 70.0, 10.0, 1000)
  ) AS p (defaults, threshold_p95, threshold_p5, patience)
  WHERE defaults = CASE $defaults WHEN 'reported' THEN 'history' ELSE $defaults END
),

limits AS (
  SELECT
    r.run,
    coalesce($threshold_p95, r.threshold_p95, p.threshold_p95) AS threshold_p95,
    coalesce($threshold_p5, r.threshold_p5, p.threshold_p5) AS threshold_p5,
    coalesce($patience, r.patience, p.patience) AS patience
  FROM published AS p
  CROSS JOIN rule_limit('LowGPUUtilization', $defaults) AS r
),

judged AS (
  SELECT
    r.run,
    r.node,
    r.device,
    r.ts,
    r.p5,
    r.p95,
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
  c.run,
  c.node,
  c.device,
  c.underused + c.fluctuating > 0 AS triggered,
  c.underused + c.fluctuating AS violations,
  b.n AS datapoints,
  c.underused,
  c.fluctuating,
  c.last_ts,
  c.recent_p5,
  c.recent_p95,
  b.p25,
  b.p50,
  b.p75,
  b.p95,
  b.max,
  b.lower,
  b.upper,
  c.parameters
FROM counted AS c
JOIN system_box AS b ON b.run = c.run AND (b.node IS NOT DISTINCT FROM c.node) AND b.device = c.device
WHERE b.resource = 'gpu' AND b.metric = 'utilization' AND b.unit = 'percent'
ORDER BY run, node, device
