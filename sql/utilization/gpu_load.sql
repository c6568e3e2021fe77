-- For what share of the time was each GPU busy, idle, or limited by the host?
--
-- Shares of the samples of a GPU's utilization. `high_ratio`, `between_ratio` and `low_ratio` add up to 1: samples above `high`, samples
-- between the limits, and samples of at most `low`. A low sample is a CPU bottleneck if the utilization of a core was above `cpu` in the
-- same snapshot (view `system_snapshot`: measurements within 20 ms). It is an I/O bottleneck if the I/O wait of a core was above `io`.
-- Both are parts of `low_ratio`, and a sample may be both. Look first at `zero_ratio` (GPU at 0) and `below_ratio` (GPU below `below`).
--
-- empty   no utilization of a GPU was sampled; SageMaker Debugger writes system metrics below `system/`
--
-- param   low    double in 0..1 = 0.1  utilization up to which a GPU is idle
-- param   high   double in 0..1 = 0.9  utilization above which a GPU is busy
-- param   below  double in 0..1 = 0.5  utilization below which samples count for `below_ratio`
-- param   cpu    double in 0..1 = 0.9  utilization above which a core is busy
-- param   io     double in 0..1 = 0.5  share of I/O wait above which a core waits
--
-- column  run                   text    id     name of the run
-- column  node                  text    id     machine
-- column  device                text    name   the GPU
-- column  n                     bigint  count  samples
-- column  gpu_utilization       double  ratio  mean share of time in which the GPU was busy
-- column  zero_ratio            double  ratio  samples of 0
-- column  below_ratio           double  ratio  samples less than `below`
-- column  low_ratio             double  ratio  samples of at most `low`
-- column  between_ratio         double  ratio  samples above `low` and at most `high`
-- column  high_ratio            double  ratio  samples above `high`
-- column  cpu_bottleneck_ratio  double  ratio  low samples next to a busy core
-- column  io_bottleneck_ratio   double  ratio  low samples next to a core that waited
--
-- needs   system_extreme, system_snapshot
-- order   run, node, device
-- source  sagemaker_system

SELECT
  g.run,
  g.node,
  g.device,
  count(*) AS n,
  avg(g.value) / 100 AS gpu_utilization,
  avg(CASE WHEN g.value = 0 THEN 1.0 ELSE 0.0 END) AS zero_ratio,
  avg(CASE WHEN g.value / 100 < $below THEN 1.0 ELSE 0.0 END) AS below_ratio,
  avg(CASE WHEN g.value / 100 <= $low THEN 1.0 ELSE 0.0 END) AS low_ratio,
  avg(CASE WHEN g.value / 100 > $low AND g.value / 100 <= $high THEN 1.0 ELSE 0.0 END) AS between_ratio,
  avg(CASE WHEN g.value / 100 > $high THEN 1.0 ELSE 0.0 END) AS high_ratio,
  avg(CASE WHEN g.value / 100 <= $low AND m.cpu_utilization > $cpu THEN 1.0 ELSE 0.0 END) AS cpu_bottleneck_ratio,
  avg(CASE WHEN g.value / 100 <= $low AND m.io_wait > $io THEN 1.0 ELSE 0.0 END) AS io_bottleneck_ratio
FROM system_snapshot AS g
JOIN system_extreme AS m ON m.run = g.run AND (m.node IS NOT DISTINCT FROM g.node) AND m.ts = g.snapshot
WHERE g.unit = 'percent' AND g.resource = 'gpu' AND g.metric = 'utilization'
GROUP BY g.run, g.node, g.device
ORDER BY run, node, device
