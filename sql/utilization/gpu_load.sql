-- For what share of the time was each GPU busy, idle, or held up by the host?
--
-- Shares of the samples of a GPU's utilization. `high`, `between` and `low` add up to 1: above `high`, up to `low`, and the rest.
-- A low sample is a CPU bottleneck if the utilization of a core was above `cpu` in the same snapshot (view `system_snapshot`: what
-- was measured within 20 ms), and an I/O bottleneck if the I/O wait of a core was above `io`; both are parts of `low_ratio`, and a
-- sample may be both. `zero_ratio` and `below_ratio` are the first things to look at: a GPU at 0, and one below `below`.
--
-- empty   no utilization of a GPU was sampled
--
-- param   low    double = 10  percent up to which a GPU is idle
-- param   high   double = 90  percent above which a GPU is busy
-- param   below  double = 50  percent below which samples count for `below_ratio`
-- param   cpu    double = 90  percent above which a core is busy
-- param   io     double = 50  percent above which a core waits
--
-- column  run                   text    id       run
-- column  node                  text    id       machine
-- column  device                text    name     the GPU
-- column  n                     bigint  count    samples
-- column  mean                  double  percent  mean utilization
-- column  zero_ratio            double  ratio    samples of 0
-- column  below_ratio           double  ratio    samples less than `below`
-- column  low_ratio             double  ratio    samples of at most `low`
-- column  between_ratio         double  ratio    samples above `low` and at most `high`
-- column  high_ratio            double  ratio    samples above `high`
-- column  cpu_bottleneck_ratio  double  ratio    low samples beside a busy core
-- column  io_bottleneck_ratio   double  ratio    low samples beside a core that waited
--
-- needs   system_snapshot
-- order   run, node, device
-- source  sagemaker_system

WITH machine AS (
  SELECT
    run,
    coalesce(node, '') AS node_key,
    snapshot,
    max(value) FILTER (WHERE metric = 'utilization') AS cpu_max,
    max(value) FILTER (WHERE metric = 'iowait') AS io_max
  FROM system_snapshot
  WHERE unit = 'percent' AND resource = 'cpu' AND metric IN ('utilization', 'iowait')
  GROUP BY run, coalesce(node, ''), snapshot
),

beside AS (
  SELECT g.run, g.node, g.device, g.value, m.cpu_max, m.io_max
  FROM system_snapshot AS g
  LEFT JOIN machine AS m ON m.run = g.run AND m.node_key = coalesce(g.node, '') AND m.snapshot = g.snapshot
  WHERE g.unit = 'percent' AND g.resource = 'gpu' AND g.metric = 'utilization'
)

SELECT
  run,
  node,
  device,
  count(*) AS n,
  avg(value) AS mean,
  avg(CASE WHEN value = 0 THEN 1.0 ELSE 0.0 END) AS zero_ratio,
  avg(CASE WHEN value < $below THEN 1.0 ELSE 0.0 END) AS below_ratio,
  avg(CASE WHEN value <= $low THEN 1.0 ELSE 0.0 END) AS low_ratio,
  avg(CASE WHEN value > $low AND value <= $high THEN 1.0 ELSE 0.0 END) AS between_ratio,
  avg(CASE WHEN value > $high THEN 1.0 ELSE 0.0 END) AS high_ratio,
  avg(CASE WHEN value <= $low AND cpu_max > $cpu THEN 1.0 ELSE 0.0 END) AS cpu_bottleneck_ratio,
  avg(CASE WHEN value <= $low AND io_max > $io THEN 1.0 ELSE 0.0 END) AS io_bottleneck_ratio
FROM beside
GROUP BY run, node, device
ORDER BY run, node, device
