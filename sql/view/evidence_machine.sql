-- What was sampled of each run's machines and GPUs, and how often was a GPU idle next to a busy or waiting core?
--
-- One row per run. Columns are null if nothing was sampled. The shares of snapshots use the limits of the rules: a GPU is idle below 10
-- percent, a core is busy above 90 percent and waits above 50 percent. These limits classify single snapshots, and this view has only two
-- numbers per run. They are therefore not parameters of the findings. `rules.cpu_bottleneck` and `rules.io_bottleneck` accept other limits.
--
-- column  run              text    id     name of the run
-- column  gpus             bigint  count  GPUs with samples of utilization; null for none
-- column  readings         bigint  count  values of the GPU that has most
-- column  memory_readings  bigint  count  values of the memory of the GPU that has most; null for none
-- column  core_readings    bigint  count  values of the cores next to a GPU; null for none
-- column  cpu_snapshots    bigint  count  snapshots with a GPU and a core
-- column  cpu_share        double  ratio  share of them in which a GPU is idle next to a busy core
-- column  io_snapshots     bigint  count  snapshots with a GPU and the I/O wait of a core
-- column  io_share         double  ratio  share of them in which a GPU is idle next to a waiting core
-- column  pairs            bigint  count  pairs of GPUs; null for none
-- column  pair_readings    bigint  count  most values that both of a pair have
--
-- cache   large
-- needs   run, system_extreme, evidence_minute, evidence_pair
-- order   run

WITH extreme AS (
  SELECT
    run,
    count(*) FILTER (WHERE gpu_utilization IS NOT NULL AND cpu_utilization IS NOT NULL) AS cpu_snapshots,
    count(*) FILTER (WHERE gpu_utilization < 0.1 AND cpu_utilization > 0.9) AS cpu_violations,
    count(*) FILTER (WHERE gpu_utilization IS NOT NULL AND io_wait IS NOT NULL) AS io_snapshots,
    count(*) FILTER (WHERE gpu_utilization < 0.1 AND io_wait > 0.5) AS io_violations
  FROM system_extreme
  GROUP BY run
),

counted AS (
  SELECT
    run,
    nullif(count(DISTINCT CASE WHEN n IS NOT NULL THEN gpu END), 0) AS gpus,
    max(n) AS readings,
    max(memory_n) AS memory_readings,
    max(cpu_n) AS core_readings
  FROM evidence_minute
  GROUP BY run
),

paired AS (
  SELECT run, count(*) AS pairs, max(readings) AS pair_readings
  FROM evidence_pair
  GROUP BY run
)

SELECT
  r.run,
  c.gpus,
  c.readings,
  c.memory_readings,
  c.core_readings,
  nullif(e.cpu_snapshots, 0) AS cpu_snapshots,
  CAST(e.cpu_violations AS double) / nullif(e.cpu_snapshots, 0) AS cpu_share,
  nullif(e.io_snapshots, 0) AS io_snapshots,
  CAST(e.io_violations AS double) / nullif(e.io_snapshots, 0) AS io_share,
  p.pairs,
  p.pair_readings
FROM run AS r
LEFT JOIN extreme AS e ON e.run = r.run
LEFT JOIN counted AS c ON c.run = r.run
LEFT JOIN paired AS p ON p.run = r.run
ORDER BY r.run
