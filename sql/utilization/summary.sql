-- How busy were the machines of a run?
--
-- One row per machine and measured quantity, over all its devices and all times. Quantities are never mixed: CPU utilization and I/O wait
-- are two rows, and so are operations and bytes per second. Percentiles are exact, with linear interpolation between the closest values.
--
-- smdebug's `get_utilization_stats` has one row per resource, which mixes all its quantities. If a resource has only one quantity (memory),
-- the numbers are the same.
--
-- empty   no system metrics were recorded; SageMaker Debugger writes them below `system/`
--
-- column  run       text    id     name of the run
-- column  node      text    id     machine
-- column  resource  text    name   cpu, gpu, memory, io or network
-- column  metric    text    name   name of the metric
-- column  unit      text    name   unit as recorded
-- column  n         bigint  count  samples
-- column  mean      double  mixed  mean
-- column  min       double  mixed  minimum value
-- column  p50       double  mixed  median
-- column  p95       double  mixed  95th percentile
-- column  p99       double  mixed  99th percentile
-- column  max       double  mixed  maximum value
--
-- needs   system_sample
-- order   run, node, resource, metric, unit
-- source  sagemaker_system, nsys

SELECT
  run,
  node,
  resource,
  metric,
  unit,
  count(*) AS n,
  avg(value) AS mean,
  min(value) AS min,
  median(value) AS p50,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY value) AS p95,
  percentile_cont(0.99) WITHIN GROUP (ORDER BY value) AS p99,
  max(value) AS max
FROM system_sample
GROUP BY run, node, resource, metric, unit
ORDER BY run, node, resource, metric, unit
