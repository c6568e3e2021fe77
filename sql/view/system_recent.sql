-- How busy had a machine and its GPUs been lately, minute by minute?
--
-- One row per minute of the clock and series (view `system_series`, percentages only): percentiles of the last `window` values up to
-- the end of that minute, fewer where there are fewer. The last minute is there, too, however short it is.
--
-- param   window  bigint >= 1 = 500  values looked back at
--
-- column  run       text    id       run
-- column  node      text    id       machine
-- column  resource  text    name     cpu, gpu or memory
-- column  metric    text    name     what was measured
-- column  device    text    name     the GPU; null for the whole machine
-- column  ts        bigint  time     start of the minute
-- column  n         bigint  count    values from the first one to the end of the minute
-- column  p5        double  percent  5th percentile of the last `window` of them
-- column  p95       double  percent  95th percentile of the same
--
-- needs   system_series
-- order   run, node, resource, metric, device, ts
-- source  sagemaker_system

WITH numbered AS (
  SELECT
    run,
    node,
    resource,
    metric,
    device,
    ts / 60000000000 AS minute,
    value,
    CAST(row_number() OVER (PARTITION BY run, node, resource, metric, device ORDER BY ts) AS bigint) AS n
  FROM system_series
  WHERE unit = 'percent'
),

-- What a minute looks back at lies in the stretch of `window` values in which it ends, and in the one before.
ends AS (
  SELECT
    run,
    node,
    resource,
    metric,
    device,
    minute,
    n,
    unnest([(n - 1) / $window, (n - 1) / $window - 1]) AS stretch
  FROM (
    SELECT run, node, resource, metric, device, minute, max(n) AS n
    FROM numbered
    GROUP BY run, node, resource, metric, device, minute
  ) AS each
)

SELECT
  e.run,
  e.node,
  e.resource,
  e.metric,
  e.device,
  e.minute * 60000000000 AS ts,
  e.n,
  percentile_cont(0.05) WITHIN GROUP (ORDER BY v.value) AS p5,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY v.value) AS p95
FROM ends AS e
JOIN numbered AS v
  ON
    v.run = e.run
    AND (v.node IS NOT DISTINCT FROM e.node)
    AND v.resource = e.resource
    AND v.metric = e.metric
    AND (v.device IS NOT DISTINCT FROM e.device)
    AND (v.n - 1) / $window = e.stretch
WHERE v.n <= e.n AND v.n > e.n - $window
GROUP BY e.run, e.node, e.resource, e.metric, e.device, e.minute, e.n
ORDER BY run, node, resource, metric, device, ts
