-- How busy were the least busy GPU and the busiest core, snapshot by snapshot?
--
-- One row per snapshot of a machine (view `system_snapshot`: what was measured within 20 ms), whatever was measured in it.
--
-- column  run          text    id       run
-- column  node         text    id       machine
-- column  ts           bigint  time     first sample of the snapshot
-- column  gpu_percent  double  percent  utilization of the least busy GPU; null where none was measured
-- column  cpu_percent  double  percent  utilization of the busiest core
-- column  io_percent   double  percent  I/O wait of the core that waited most
--
-- cache   large
-- needs   system_snapshot
-- order   run, node, ts
-- source  sagemaker_system

SELECT
  run,
  node,
  snapshot AS ts,
  min(value) FILTER (WHERE resource = 'gpu' AND metric = 'utilization' AND unit = 'percent') AS gpu_percent,
  max(value) FILTER (WHERE resource = 'cpu' AND metric = 'utilization' AND unit = 'percent') AS cpu_percent,
  max(value) FILTER (WHERE resource = 'cpu' AND metric = 'iowait' AND unit = 'percent') AS io_percent
FROM system_snapshot
GROUP BY run, node, snapshot
ORDER BY run, node, ts
