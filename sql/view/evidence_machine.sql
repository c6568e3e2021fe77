-- What did the samples of each run say about its machines and GPUs?
--
-- One row per run; nulls where nothing was sampled. Shares of snapshots are those of the rules: a GPU is idle below 10 percent, a core
-- busy above 90 and waiting above 50 percent; `rules.cpu_bottleneck` and `rules.io_bottleneck` answer for other limits. Percentiles are
-- those of the last 500 values at the end of a minute (view `system_recent`), once a series has more than 1000 values: null before.
--
-- Of several GPUs and minutes it is the one that is worst for the question.
--
-- column  run               text    id       run
-- column  gpus              bigint  count    GPUs whose utilisation was sampled; null for none
-- column  readings          bigint  count    values of the GPU that has most
-- column  memory_readings   bigint  count    values of the memory of the GPU that has most; null for none
-- column  core_readings     bigint  count    values of the cores of the machine that has most; null for none
-- column  cpu_snapshots     bigint  count    snapshots with a GPU and a core
-- column  cpu_share         double  ratio    share of them in which a GPU is idle beside a busy core
-- column  io_snapshots      bigint  count    snapshots with a GPU and the I/O wait of a core
-- column  io_share          double  ratio    share of them in which a GPU is idle beside a waiting core
-- column  low_p95           double  ratio    least 95th percentile of the utilisation of a GPU
-- column  low_gpu           text    name     that GPU
-- column  unsteady_p5       double  ratio    least 5th percentile in a minute whose 95th is above 0.7; null without one
-- column  unsteady_p95      double  ratio    the 95th percentile beside it
-- column  unsteady_gpu      text    name     that GPU
-- column  room_p95          double  ratio    least value below which the cores, a GPU and its memory all have their 95th percentile
-- column  room_gpu          text    name     that GPU
-- column  pairs             bigint  count    pairs of GPUs
-- column  pair_readings     bigint  count    most values that both of a pair have
-- column  distance          double  factor   greatest distance of the loads of two GPUs with more than 1000 values each
-- column  pair              text    name     these two
--
-- needs   run, system_extreme, system_recent, gpu_pair
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

-- The cores of a machine stand beside each of its GPUs.
beside AS (
  SELECT
    run,
    node,
    device,
    metric,
    ts,
    resource,
    n,
    p5,
    p95,
    max(CASE WHEN resource = 'cpu' THEN p95 END) OVER (PARTITION BY run, node, ts) AS cpu_p95,
    max(CASE WHEN resource = 'cpu' THEN n END) OVER (PARTITION BY run, node, ts) AS cpu_n
  FROM system_recent
  WHERE
    (resource = 'cpu' AND metric = 'utilization' AND device IS NULL)
    OR (resource = 'gpu' AND metric IN ('utilization', 'memory_utilization') AND device IS NOT NULL)
),

minutes AS (
  SELECT
    run,
    node,
    device,
    ts,
    max(cpu_n) AS cpu_n,
    max(cpu_p95) AS cpu_p95,
    max(CASE WHEN resource = 'gpu' AND metric = 'utilization' THEN n END) AS n,
    max(CASE WHEN resource = 'gpu' AND metric = 'utilization' THEN p5 END) AS p5,
    max(CASE WHEN resource = 'gpu' AND metric = 'utilization' THEN p95 END) AS p95,
    max(CASE WHEN metric = 'memory_utilization' THEN n END) AS memory_n,
    max(CASE WHEN metric = 'memory_utilization' THEN p95 END) AS memory_p95
  FROM beside
  GROUP BY run, node, device, ts
),

judged AS (
  SELECT
    *,
    device || coalesce(' of ' || node, '') AS gpu,
    CASE WHEN n > 1000 THEN p95 END AS low,
    CASE WHEN n > 1000 AND p95 > 70 THEN p5 END AS unsteady,
    CASE WHEN n > 1000 AND memory_n > 1000 AND cpu_n > 1000 THEN greatest(p95, memory_p95, cpu_p95) END AS room
  FROM minutes
),

worst AS (
  SELECT
    run,
    nullif(count(DISTINCT CASE WHEN n IS NOT NULL THEN gpu END), 0) AS gpus,
    max(n) AS readings,
    max(memory_n) AS memory_readings,
    max(cpu_n) AS core_readings,
    min(low) AS low,
    first_value(gpu ORDER BY low NULLS LAST, gpu, ts) AS low_gpu,
    min(unsteady) AS unsteady,
    first_value(p95 ORDER BY unsteady NULLS LAST, gpu, ts) AS unsteady_p95,
    first_value(gpu ORDER BY unsteady NULLS LAST, gpu, ts) AS unsteady_gpu,
    min(room) AS room,
    first_value(gpu ORDER BY room NULLS LAST, gpu, ts) AS room_gpu
  FROM judged
  GROUP BY run
),

paired AS (
  SELECT
    run,
    count(*) AS pairs,
    max(least(n, other_n)) AS pair_readings,
    max(CASE WHEN least(n, other_n) > 1000 THEN distance END) AS distance,
    first_value(
      device || coalesce(' of ' || node, '') || ' and ' || other_device || coalesce(' of ' || other_node, '')
      ORDER BY CASE WHEN least(n, other_n) > 1000 THEN distance END DESC NULLS LAST, node, device, other_node, other_device
    ) AS pair
  FROM gpu_pair
  GROUP BY run
)

SELECT
  r.run,
  w.gpus,
  w.readings,
  w.memory_readings,
  w.core_readings,
  nullif(e.cpu_snapshots, 0) AS cpu_snapshots,
  CAST(e.cpu_violations AS double) / nullif(e.cpu_snapshots, 0) AS cpu_share,
  nullif(e.io_snapshots, 0) AS io_snapshots,
  CAST(e.io_violations AS double) / nullif(e.io_snapshots, 0) AS io_share,
  w.low / 100 AS low_p95,
  CASE WHEN w.low IS NOT NULL THEN arrow_cast(w.low_gpu, 'Utf8') END AS low_gpu,
  w.unsteady / 100 AS unsteady_p5,
  CASE WHEN w.unsteady IS NOT NULL THEN w.unsteady_p95 / 100 END AS unsteady_p95,
  CASE WHEN w.unsteady IS NOT NULL THEN arrow_cast(w.unsteady_gpu, 'Utf8') END AS unsteady_gpu,
  w.room / 100 AS room_p95,
  CASE WHEN w.room IS NOT NULL THEN arrow_cast(w.room_gpu, 'Utf8') END AS room_gpu,
  p.pairs,
  p.pair_readings,
  p.distance,
  CASE WHEN p.distance IS NOT NULL THEN arrow_cast(p.pair, 'Utf8') END AS pair
FROM run AS r
LEFT JOIN extreme AS e ON e.run = r.run
LEFT JOIN worst AS w ON w.run = r.run
LEFT JOIN paired AS p ON p.run = r.run
ORDER BY r.run
