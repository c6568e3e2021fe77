-- How busy were the sampled GPUs of each run while it trained?
--
-- One row per run with samples of the utilization of GPUs: those between the first step and the end of the last one, or all samples if no
-- step has a time.
--
-- column  run              text    id     name of the run
-- column  gpu_utilization  double  ratio  mean share of time in which a GPU was busy
-- column  busy_p5          double  ratio  5th percentile over the samples
-- column  busy_p95         double  ratio  95th percentile over the samples
-- column  readings         bigint  count  samples
-- column  total            bigint  ns     from the first sample to the last one; null when no sample has a time
--
-- cache   large
-- needs   run, step, sample
-- order   run

WITH trained AS (
  -- Steps without an epoch cannot be compared with samples.
  SELECT s.run, min(s.ts) AS ts, max(s.ts + s.dur) AS till
  FROM step AS s
  JOIN run AS r ON r.run = s.run AND s.ts >= r.first_ts
  GROUP BY s.run
)

SELECT
  s.run,
  avg(s.value) / 100 AS gpu_utilization,
  percentile_cont(0.05) WITHIN GROUP (ORDER BY s.value) / 100 AS busy_p5,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY s.value) / 100 AS busy_p95,
  count(*) AS readings,
  max(s.ts) - min(s.ts) AS total
FROM sample AS s
LEFT JOIN trained AS t ON t.run = s.run
WHERE
  s.resource = 'gpu'
  AND s.metric = 'utilization'
  AND s.unit = 'percent'
  AND (t.ts IS NULL OR s.ts IS NULL OR (s.ts >= t.ts AND s.ts <= t.till))
GROUP BY s.run
ORDER BY s.run
