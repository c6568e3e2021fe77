-- What did the machines of a run measure about themselves?
--
-- The rows of table `sample` that describe the hardware: cores, accelerators, main memory, disks and network. `resource` and `metric`
-- together identify the measured quantity. Average only values of the same resource, metric and unit. If a profiler counts network traffic
-- in groups, the group is part of the metric: `receive_platform`, `receive_algorithm`.
--
-- Excluded: scalars of the training (loss, throughput), allocators of a framework, samples without a value, and occasional measurements in
-- hooks of the training, which are in `utilization.device_stats`.
--
-- column  run       text    id     name of the run
-- column  node      text    id     machine
-- column  resource  text    name   cpu, gpu, memory, io or network
-- column  device    text    name   device measured (cpu5, gpu0); null for the whole machine
-- column  metric    text    name   name of the metric
-- column  unit      text    name   unit as recorded
-- column  ts        bigint  time   when; null when the profiler recorded no time
-- column  value     double  mixed  the value, in the unit of column unit
--
-- needs   sample
-- order   run, node, resource, metric, unit, device, ts, value
-- source  sagemaker_system, nsys, recorder

SELECT
  run,
  node,
  resource,
  device,
  CASE
    WHEN resource = 'network' AND raw_name IS NOT NULL AND raw_dimension IS NOT NULL
      THEN metric || '_' || lower(raw_dimension)
    ELSE metric
  END AS metric,
  unit,
  ts,
  value
FROM sample
WHERE resource IN ('cpu', 'gpu', 'memory', 'io', 'network') AND value IS NOT NULL AND hook IS NULL
ORDER BY run, node, resource, metric, unit, device, ts, value
