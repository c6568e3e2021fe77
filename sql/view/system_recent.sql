-- How busy were each machine and its GPUs recently, at the end of each minute?
--
-- One row per wall-clock minute and series (view `system_series`, percentages only). The row has percentiles of the last `window` values up
-- to the end of that minute, or of fewer values if there are fewer. The last minute has a row too, even if it is short.
--
-- param   window  bigint in 1.. = 500  number of latest values for each percentile
--
-- column  run       text    id       name of the run
-- column  node      text    id       machine
-- column  resource  text    name     cpu, gpu or memory
-- column  metric    text    name     name of the metric
-- column  device    text    name     the GPU; null for the whole machine
-- column  ts        bigint  time     start of the minute
-- column  n         bigint  count    values from the first one to the end of the minute
-- column  p5        double  percent  5th percentile; of the last `window` values
-- column  p95       double  percent  95th percentile; of the last `window` values
--
-- cache   large
-- needs   system_series
-- order   run, node, resource, metric, device, ts
-- source  sagemaker_system

WITH followed AS (
  SELECT
    *,
    ts / 60000000000 AS minute,
    lead(ts / 60000000000) OVER series AS next_minute,
    CAST(row_number() OVER series AS bigint) AS n,
    recent_percentile(value, 0.05, $window) OVER series AS p5,
    recent_percentile(value, 0.95, $window) OVER series AS p95
  FROM system_series
  WHERE unit = 'percent'
  WINDOW series AS (PARTITION BY run, node, resource, metric, device ORDER BY ts)
)

SELECT run, node, resource, metric, device, minute * 60000000000 AS ts, n, p5, p95
FROM followed
WHERE next_minute IS DISTINCT FROM minute
ORDER BY run, node, resource, metric, device, ts
