-- When was a GPU idle while a core was loaded?
--
-- One row per snapshot of a machine (view `system_snapshot`: measurements within 20 ms) in which the utilization of at least one GPU was at
-- most `gpu` and `metric` of at least one core was above `core`.
--
-- param   metric  text in utilization|iowait = 'utilization'  what is measured of a core: its utilization, or its I/O wait
-- param   gpu     double in 0..1 = 0.1  utilization up to which a GPU is idle
-- param   core    double in 0..1 = 0.9  value of `metric` above which a core is loaded
--
-- column  run              text    id     name of the run
-- column  node             text    id     machine
-- column  ts               bigint  time   first sample of the snapshot
-- column  gpus             bigint  count  GPUs that were idle
-- column  cores            bigint  count  cores that were loaded
-- column  gpu_utilization  double  ratio  mean share of time in which the GPU was busy; of the least busy GPU
-- column  core_load        double  ratio  `metric` of the most loaded core
--
-- needs   system_snapshot
-- order   run, node, ts
-- source  sagemaker_system

-- First one row per GPU and core: the engine is slow at counting a few distinct values in each of many groups.
WITH measured AS (
  SELECT run, node, snapshot, resource, device, min(value) AS min_value, max(value) AS max_value
  FROM system_snapshot
  WHERE
    unit = 'percent'
    AND (
      resource = 'gpu' AND metric = 'utilization' AND value / 100 <= $gpu
      OR resource = 'cpu' AND metric = $metric AND value / 100 > $core
    )
  GROUP BY run, node, snapshot, resource, device
)

SELECT
  run,
  node,
  snapshot AS ts,
  count(device) FILTER (WHERE resource = 'gpu') AS gpus,
  count(device) FILTER (WHERE resource = 'cpu') AS cores,
  min(min_value) FILTER (WHERE resource = 'gpu') / 100 AS gpu_utilization,
  max(max_value) FILTER (WHERE resource = 'cpu') / 100 AS core_load
FROM measured
GROUP BY run, node, snapshot
HAVING count(*) FILTER (WHERE resource = 'gpu') > 0 AND count(*) FILTER (WHERE resource = 'cpu') > 0
ORDER BY run, node, ts
