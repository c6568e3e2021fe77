-- Did the memory in use on a GPU grow?
--
-- smdebug's rule GPUMemoryIncrease, over the whole run. One row per GPU. A value is a violation when the mean of the last `window` values
-- is more than `increase` above the mean of the `window` - 1 values that begin one value earlier. The rule needs more than `patience`
-- values and more than `window` + 1 values. One violation triggers the rule.
--
-- `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's package), docs (AWS's
-- guide of 2023) or reported (the run's own report, or history where it has no limit).
--
-- smdebug counts a value on the border of two of its windows twice, and no value of the last minute.
--
-- empty   no memory of a GPU was sampled (SageMaker Debugger's system metrics contain it), or `defaults` is not history, rulesconfig, docs or reported
--
-- param   defaults  text in history|rulesconfig|docs|reported = 'history'  source of the default limits (see above)
-- param   increase  double = null                                          growth of the mean in percentage points that is allowed; null for the published limit
-- param   patience  bigint in 0.. = null                                   the rule needs more values than this; null for the published limit
-- param   window    bigint in 2.. = null                                   number of values in a mean; null for the published limit
--
-- column  run         text     id       name of the run
-- column  node        text     id       machine
-- column  device      text     name     the GPU
-- column  triggered   boolean  flag     whether the rule is triggered
-- column  violations  bigint   count    values at which the mean had grown by more than `increase`
-- column  datapoints  bigint   count    values of the memory of the GPU
-- column  increase    double   percent  growth at the last violation, in percentage points
-- column  last_ts     bigint   time     last violation
-- column  p5          double   percent  5th percentile
-- column  p25         double   percent  lower quartile
-- column  p50         double   percent  median
-- column  p75         double   percent  upper quartile
-- column  p95         double   percent  95th percentile
-- column  max         double   percent  maximum value
-- column  lower       double   percent  lower whisker
-- column  upper       double   percent  upper whisker
-- column  parameters  text     json     limits that were used
--
-- needs   rule_limit, system_series, system_box
-- order   run, node, device
-- source  sagemaker_system

WITH limits AS (
  SELECT
    run,
    coalesce($increase, increase, CASE $defaults WHEN 'docs' THEN 10.0 ELSE 5.0 END) AS increase,
    coalesce($patience, patience, CASE $defaults WHEN 'docs' THEN 100 ELSE 1000 END) AS patience,
    coalesce($window, width, CASE $defaults WHEN 'docs' THEN 500 ELSE 10 END) AS width
  FROM rule_limit('GPUMemoryIncrease', $defaults)
),

-- The sum of consecutive values is the difference of two running totals.
summed AS (
  SELECT
    *,
    CAST(row_number() OVER (PARTITION BY run, node, device ORDER BY ts) AS bigint) AS n,
    sum(value) OVER (
      PARTITION BY run, node, device ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS total
  FROM system_series
  WHERE resource = 'gpu' AND metric = 'memory_utilization' AND unit = 'percent' AND device IS NOT NULL
),

-- The first range ends at value n, the second at value n - 2.
grown AS (
  SELECT
    s.run,
    s.node,
    s.device,
    s.n,
    max(s.ts) AS ts,
    max(l.increase) AS least,
    max(s.total - CASE WHEN e.n = s.n - l.width THEN e.total END) / max(l.width)
    - (
      max(CASE WHEN e.n = s.n - 2 THEN e.total END) - max(CASE WHEN e.n = s.n - l.width - 1 THEN e.total END)
    ) / (max(l.width) - 1) AS increase
  FROM (
    SELECT s.run, s.node, s.device, s.ts, s.n, s.total, unnest([2, l.width, l.width + 1]) AS back
    FROM summed AS s
    JOIN limits AS l ON l.run = s.run
    WHERE s.n > l.width + 1 AND s.n > l.patience
  ) AS s
  JOIN summed AS e
    ON e.run = s.run AND (e.node IS NOT DISTINCT FROM s.node) AND e.device = s.device AND e.n = s.n - s.back
  JOIN limits AS l ON l.run = s.run
  GROUP BY s.run, s.node, s.device, s.n
),

counted AS (
  SELECT
    run,
    node,
    device,
    count(*) AS violations,
    last_value(increase ORDER BY n) AS increase,
    max(ts) AS last_ts
  FROM grown
  WHERE increase > least
  GROUP BY run, node, device
)

SELECT
  b.run,
  b.node,
  b.device,
  c.violations IS NOT NULL AS triggered,
  coalesce(c.violations, 0) AS violations,
  b.n AS datapoints,
  c.increase,
  c.last_ts,
  b.p5,
  b.p25,
  b.p50,
  b.p75,
  b.p95,
  b.max,
  b.lower,
  b.upper,
  '{"increase":' || l.increase || ',"patience":' || l.patience || ',"window":' || l.width || '}' AS parameters
FROM system_box AS b
JOIN limits AS l ON l.run = b.run
LEFT JOIN counted AS c ON c.run = b.run AND (c.node IS NOT DISTINCT FROM b.node) AND c.device = b.device
WHERE b.resource = 'gpu' AND b.metric = 'memory_utilization' AND b.unit = 'percent' AND b.device IS NOT NULL
ORDER BY run, node, device
