-- How busy were the machines of a run as a whole?
--
-- smdebug's rule OverallSystemUsage, over the whole run. One row per machine and quantity (view `system_box`): the mean over cores or
-- GPUs in one snapshot, main memory, disks, and the bytes sent and received together. It is never triggered. smdebug's Network is
-- `traffic_algorithm`, its I/O `iowait` of the cores; it never sees the last minute, rounds, and takes negative values for 0.
--
-- empty   no machine was sampled: system metrics of SageMaker hold them
--
-- column  run         text     id     run
-- column  node        text     id     machine
-- column  resource    text     name   cpu, gpu, memory, io or network
-- column  metric      text     name   what was measured
-- column  unit        text     name   unit of the values, as recorded
-- column  triggered   boolean  flag   always false
-- column  violations  bigint   count  always 0
-- column  datapoints  bigint   count  snapshots with this quantity
-- column  min         double   mixed  least value
-- column  p50         double   mixed  median
-- column  p95         double   mixed  95th percentile
-- column  p99         double   mixed  99th percentile
-- column  max         double   mixed  greatest value
-- column  p25         double   mixed  lower quartile
-- column  p75         double   mixed  upper quartile
-- column  lower       double   mixed  lower whisker of the box plot
-- column  upper       double   mixed  upper whisker
--
-- needs   system_box
-- order   run, node, resource, metric, unit
-- source  sagemaker_system

SELECT
  run,
  node,
  resource,
  metric,
  unit,
  false AS triggered,
  CAST(0 AS bigint) AS violations,
  n AS datapoints,
  min,
  p50,
  p95,
  p99,
  max,
  p25,
  p75,
  lower,
  upper
FROM system_box
WHERE device IS NULL
ORDER BY run, node, resource, metric, unit
