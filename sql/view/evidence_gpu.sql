-- How busy were the GPUs of each run while it trained?
--
-- One row per run. If utilization was sampled, the view uses the samples between the first step and the end of the last one, or all samples
-- if no step has a time. Otherwise it uses the share of the recordings in which a kernel ran. Columns are null if the run has neither.
--
-- The limit of `gpu_busy` comes from PyTorch's tutorial. It is the same for all findings, like the number of steps that a verdict needs,
-- and is not a parameter of a finding.
--
-- column  run              text     id     name of the run
-- column  source           text     name   samples or kernels; null when nothing is known
-- column  gpu_utilization  double   ratio  mean share of time in which the GPU was busy
-- column  busy_p5          double   ratio  5th percentile over the samples; null unless they are samples
-- column  busy_p95         double   ratio  95th percentile over the samples
-- column  readings         bigint   count  samples, or steps of the recordings
-- column  devices          bigint   count  GPUs
-- column  total            bigint   ns     time that the ratios of the row are a share of; null when unknown
-- column  gpu_busy         boolean  flag   whether `gpu_utilization` lies above 0.8; then what a loader does is a notice at most; null when unknown
--
-- cache   large
-- needs   run, step, sample, kernel_occupancy
-- order   run

WITH trained AS (
  -- Steps without an epoch cannot be compared with samples.
  SELECT s.run, min(s.ts) AS ts, max(s.ts + s.dur) AS till
  FROM step AS s
  JOIN run AS r ON r.run = s.run AND s.ts >= r.first_ts
  GROUP BY s.run
),

sampled AS (
  SELECT
    s.run,
    avg(s.value) / 100 AS gpu_utilization,
    percentile_cont(0.05) WITHIN GROUP (ORDER BY s.value) / 100 AS busy_p5,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY s.value) / 100 AS busy_p95,
    count(*) AS readings,
    count(DISTINCT concat(s.node, ' ', s.device)) AS devices,
    max(s.ts) - min(s.ts) AS total
  FROM sample AS s
  LEFT JOIN trained AS t ON t.run = s.run
  WHERE
    s.resource = 'gpu'
    AND s.metric = 'utilization'
    AND s.unit = 'percent'
    AND (t.ts IS NULL OR s.ts IS NULL OR (s.ts >= t.ts AND s.ts <= t.till))
  GROUP BY s.run
),

stepped AS (
  SELECT run, count(*) AS steps
  FROM step
  WHERE dur IS NOT NULL
  GROUP BY run
),

computed AS (
  SELECT
    run,
    CAST(sum(busy) AS double) / nullif(sum(dur), 0) AS gpu_utilization,
    count(DISTINCT concat(node, ' ', rank, ' ', device)) AS devices,
    max(dur) AS total
  FROM kernel_occupancy
  GROUP BY run
)

SELECT
  r.run,
  CASE WHEN s.gpu_utilization IS NOT NULL THEN 'samples' WHEN k.gpu_utilization IS NOT NULL THEN 'kernels' END AS source,
  coalesce(s.gpu_utilization, k.gpu_utilization) AS gpu_utilization,
  s.busy_p5,
  s.busy_p95,
  CASE WHEN s.gpu_utilization IS NOT NULL THEN s.readings WHEN k.gpu_utilization IS NOT NULL THEN coalesce(p.steps, 1) END AS readings,
  coalesce(s.devices, k.devices) AS devices,
  coalesce(s.total, k.total) AS total,
  coalesce(s.gpu_utilization, k.gpu_utilization) > 0.8 AS gpu_busy
FROM run AS r
LEFT JOIN sampled AS s ON s.run = r.run
LEFT JOIN computed AS k ON k.run = r.run
LEFT JOIN stepped AS p ON p.run = r.run
ORDER BY r.run
