-- How busy were the least busy GPU and the busiest core in each snapshot?
--
-- One row per snapshot of a machine (view `system_snapshot`: values measured within 20 ms), even if the snapshot has only some of the
-- values.
--
-- column  run              text    id     name of the run
-- column  node             text    id     machine
-- column  ts               bigint  time   first sample of the snapshot
-- column  gpu_utilization  double  ratio  mean share of time in which the GPU was busy; of the least busy GPU; null where none was measured
-- column  cpu_utilization  double  ratio  utilization of the busiest core
-- column  io_wait          double  ratio  I/O wait of the core that waited most
--
-- cache   large
-- needs   system_snapshot
-- order   run, node, ts
-- source  sagemaker_system

SELECT
  run,
  node,
  snapshot AS ts,
  min(value) FILTER (WHERE resource = 'gpu' AND metric = 'utilization' AND unit = 'percent') / 100 AS gpu_utilization,
  max(value) FILTER (WHERE resource = 'cpu' AND metric = 'utilization' AND unit = 'percent') / 100 AS cpu_utilization,
  max(value) FILTER (WHERE resource = 'cpu' AND metric = 'iowait' AND unit = 'percent') / 100 AS io_wait
FROM system_snapshot
GROUP BY run, node, snapshot
ORDER BY run, node, ts
