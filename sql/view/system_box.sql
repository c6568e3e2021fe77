-- How are the values of each machine and its GPUs distributed?
--
-- One row per series of view `system_series`. `lower` and `upper` are the whiskers of a box plot: they extend 1.5 times the distance
-- between the quartiles beyond the quartiles, but not beyond the minimum and maximum values.
--
-- column  run       text    id     name of the run
-- column  node      text    id     machine
-- column  resource  text    name   cpu, gpu, memory, io or network
-- column  metric    text    name   name of the metric
-- column  device    text    name   the GPU; null for the whole machine
-- column  unit      text    name   unit as recorded
-- column  n         bigint  count  values
-- column  min       double  mixed  minimum value
-- column  p5        double  mixed  5th percentile
-- column  p25       double  mixed  lower quartile
-- column  p50       double  mixed  median
-- column  p75       double  mixed  upper quartile
-- column  p95       double  mixed  95th percentile
-- column  p99       double  mixed  99th percentile
-- column  max       double  mixed  maximum value
-- column  lower     double  mixed  lower whisker
-- column  upper     double  mixed  upper whisker
--
-- cache   large
-- needs   system_series
-- order   run, node, resource, metric, unit, device
-- source  sagemaker_system

WITH counted AS (
  SELECT
    run,
    node,
    resource,
    metric,
    device,
    unit,
    count(*) AS n,
    min(value) AS min,
    percentile_cont(0.05) WITHIN GROUP (ORDER BY value) AS p5,
    percentile_cont(0.25) WITHIN GROUP (ORDER BY value) AS p25,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY value) AS p50,
    percentile_cont(0.75) WITHIN GROUP (ORDER BY value) AS p75,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY value) AS p95,
    percentile_cont(0.99) WITHIN GROUP (ORDER BY value) AS p99,
    max(value) AS max
  FROM system_series
  GROUP BY run, node, resource, metric, device, unit
)

SELECT
  *,
  greatest(p25 - 1.5 * (p75 - p25), min) AS lower,
  least(p75 + 1.5 * (p75 - p25), max) AS upper
FROM counted
ORDER BY run, node, resource, metric, unit, device
