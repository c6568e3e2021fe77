-- How busy were the machines in each phase of a run: before, during, between and after its steps?
--
-- The phases are those of `job.phases`; phases with the same name are merged. A sample belongs to the phase that began last, before the
-- sample or at its time. The phases of a run apply to all its machines. Quantities are never mixed, and percentiles are exact, as in
-- `utilization.summary`.
--
-- Excluded: runs without steps, and samples without a time.
--
-- empty   no system metrics were recorded (SageMaker Debugger writes them below `system/`), or the run has no steps
--
-- column  run       text    id     name of the run
-- column  node      text    id     machine
-- column  resource  text    name   cpu, gpu, memory, io or network
-- column  metric    text    name   name of the metric
-- column  unit      text    name   unit as recorded
-- column  phase     text    name   name of the phase
-- column  n         bigint  count  samples
-- column  mean      double  mixed  mean
-- column  min       double  mixed  minimum value
-- column  p50       double  mixed  median
-- column  p95       double  mixed  95th percentile
-- column  p99       double  mixed  99th percentile
-- column  max       double  mixed  maximum value
-- column  ts        bigint  time   first sample in the phase
--
-- needs   phase_span, system_sample
-- order   run, node, resource, metric, unit, ts
-- source  sagemaker_system, sagemaker_framework, nsys

-- In order of time, each sample time gets the `ordinal` of the phase that began last. There are fewer distinct times than samples.
WITH marked AS (
  SELECT run, ts, 0 AS kind, ordinal
  FROM phase_span
  UNION ALL
  SELECT run, ts, 1 AS kind, CAST(NULL AS bigint) AS ordinal
  FROM system_sample
  WHERE ts IS NOT NULL
  GROUP BY run, ts
),

placed AS (
  SELECT
    run,
    ts,
    kind,
    max(ordinal) OVER (PARTITION BY run ORDER BY ts, kind ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS ordinal
  FROM marked
),

phased AS (
  SELECT m.run, m.ts, p.phase
  FROM placed AS m
  JOIN phase_span AS p ON p.run = m.run AND p.ordinal = m.ordinal
  WHERE m.kind = 1
)

SELECT
  s.run,
  s.node,
  s.resource,
  s.metric,
  s.unit,
  p.phase,
  count(*) AS n,
  avg(s.value) AS mean,
  min(s.value) AS min,
  median(s.value) AS p50,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY s.value) AS p95,
  percentile_cont(0.99) WITHIN GROUP (ORDER BY s.value) AS p99,
  max(s.value) AS max,
  min(s.ts) AS ts
FROM phased AS p
JOIN system_sample AS s ON s.run = p.run AND s.ts = p.ts
GROUP BY s.run, s.node, s.resource, s.metric, s.unit, p.phase
ORDER BY run, node, resource, metric, unit, ts, phase
