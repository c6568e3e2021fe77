-- What was sampled of each run's machines and GPUs, and how often did a GPU idle beside a core that did not?
--
-- One row per run; nulls where nothing was sampled. Shares of snapshots are those of the rules: a GPU is idle below 10 percent, a core
-- busy above 90 and waiting above 50 percent. These limits tell single snapshots, of which a run keeps two numbers: they are no parameters
-- of the findings, and `rules.cpu_bottleneck` and `rules.io_bottleneck` answer for others.
--
-- column  run               text    id       run
-- column  gpus              bigint  count    GPUs whose utilization was sampled; null for none
-- column  readings          bigint  count    values of the GPU that has most
-- column  memory_readings   bigint  count    values of the memory of the GPU that has most; null for none
-- column  core_readings     bigint  count    values of the cores beside a GPU; null for none
-- column  cpu_snapshots     bigint  count    snapshots with a GPU and a core
-- column  cpu_share         double  ratio    share of them in which a GPU is idle beside a busy core
-- column  io_snapshots      bigint  count    snapshots with a GPU and the I/O wait of a core
-- column  io_share          double  ratio    share of them in which a GPU is idle beside a waiting core
-- column  pairs             bigint  count    pairs of GPUs; null for none
-- column  pair_readings     bigint  count    most values that both of a pair have
--
-- cache   large
-- needs   run, system_extreme, evidence_minute, evidence_pair
-- order   run

WITH extreme AS (
  SELECT
    run,
    count(*) FILTER (WHERE gpu_percent IS NOT NULL AND cpu_percent IS NOT NULL) AS cpu_snapshots,
    count(*) FILTER (WHERE gpu_percent < 10 AND cpu_percent > 90) AS cpu_violations,
    count(*) FILTER (WHERE gpu_percent IS NOT NULL AND io_percent IS NOT NULL) AS io_snapshots,
    count(*) FILTER (WHERE gpu_percent < 10 AND io_percent > 50) AS io_violations
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
