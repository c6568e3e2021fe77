-- How busy were each machine and each of its GPUs at every snapshot?
--
-- Rows without a device describe the machine as a whole. They have the mean over its cores, or its GPUs, in one snapshot (view
-- `system_snapshot`: values measured within 20 ms), main memory and disks as measured, and `traffic`, the sum of bytes received and sent.
-- Each GPU also has rows of its own. The rules of family `rules` use these values.
--
-- column  run       text    id     name of the run
-- column  node      text    id     machine
-- column  resource  text    name   cpu, gpu, memory, io or network
-- column  metric    text    name   name of the metric
-- column  device    text    name   the GPU; null for the whole machine
-- column  unit      text    name   unit as recorded
-- column  ts        bigint  time   first sample of the snapshot
-- column  value     double  mixed  the value, in the unit of column unit
--
-- needs   system_sample, system_snapshot
-- order   run, node, resource, metric, unit, device, ts
-- source  sagemaker_system

SELECT
  run,
  node,
  resource,
  CASE WHEN resource = 'network' THEN regexp_replace(metric, '^(receive|transmit)', 'traffic') ELSE metric END AS metric,
  CAST(NULL AS text) AS device,
  unit,
  snapshot AS ts,
  CASE WHEN resource = 'network' THEN sum(value) ELSE avg(value) END AS value
FROM system_snapshot
GROUP BY
  run,
  node,
  resource,
  CASE WHEN resource = 'network' THEN regexp_replace(metric, '^(receive|transmit)', 'traffic') ELSE metric END,
  unit,
  snapshot
UNION ALL
SELECT run, node, resource, metric, device, unit, ts, value
FROM system_sample
WHERE resource = 'gpu' AND device IS NOT NULL AND ts IS NOT NULL
ORDER BY run, node, resource, metric, unit, device, ts
