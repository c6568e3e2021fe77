-- How busy were the machines in each phase of a run: before, during, between and after its steps?
--
-- The phases are those of `job.phases`; phases of the same name are taken together. A sample belongs to the phase that
-- began last before it or at its time. The phases of a run hold for all its machines. Quantities are never mixed, and
-- percentiles are exact, as in `utilization.summary`.
--
-- Left out: runs without steps, and samples without a time.
--
-- empty   there are no samples of the system: SageMaker Debugger writes them below `system/`
--
-- column  run       text    id     run the samples belong to
-- column  node      text    id     machine
-- column  resource  text    name   cpu, gpu, memory, io or network
-- column  metric    text    name   what was measured
-- column  unit      text    name   unit of the values, as recorded
-- column  phase     text    name   phase of the run
-- column  n         bigint  count  samples
-- column  mean      double  mixed  mean, in the unit of column unit
-- column  min       double  mixed  least value
-- column  p50       double  mixed  median
-- column  p95       double  mixed  95th percentile
-- column  p99       double  mixed  99th percentile
-- column  max       double  mixed  greatest value
-- column  ts        bigint  time   first sample in the phase
--
-- needs   phase_span, system_sample
-- order   run, node, resource, metric, unit, ts
-- source  sagemaker_system, sagemaker_framework

-- In the order of time `ordinal` becomes that of the phase which began last: for times, of which there are fewer than samples.
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
