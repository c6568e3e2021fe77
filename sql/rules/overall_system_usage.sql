-- How busy were the machines of a run as a whole?
--
-- smdebug's rule OverallSystemUsage, over the whole run. One row per machine and quantity (view `system_box`): the mean over cores or GPUs
-- in one snapshot, main memory, disks, and the sum of the bytes sent and received. The rule is never triggered. smdebug's Network is
-- `traffic_algorithm`, and its I/O is `iowait` of the cores. smdebug never includes the last minute, rounds values, and replaces negative
-- values by 0.
--
-- empty   no machine was sampled; SageMaker Debugger records system metrics
--
-- column  run         text     id     name of the run
-- column  node        text     id     machine
-- column  resource    text     name   cpu, gpu, memory, io or network
-- column  metric      text     name   name of the metric
-- column  unit        text     name   unit as recorded
-- column  triggered   boolean  flag   whether the rule is triggered
-- column  violations  bigint   count  always 0
-- column  datapoints  bigint   count  snapshots with this quantity
-- column  min         double   mixed  minimum value
-- column  p50         double   mixed  median
-- column  p95         double   mixed  95th percentile
-- column  p99         double   mixed  99th percentile
-- column  max         double   mixed  maximum value
-- column  p25         double   mixed  lower quartile
-- column  p75         double   mixed  upper quartile
-- column  lower       double   mixed  lower whisker
-- column  upper       double   mixed  upper whisker
--
-- needs   system_box
-- order   run, node, resource, metric, unit
-- source  sagemaker_system, nsys

SELECT
  * EXCLUDE (device, n, p5),
  false AS triggered,
  CAST(0 AS bigint) AS violations,
  n AS datapoints
FROM system_box
WHERE device IS NULL
ORDER BY run, node, resource, metric, unit
