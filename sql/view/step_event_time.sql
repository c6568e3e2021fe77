-- How long did the events of each name or track take in a step, by mode?
--
-- `step.duration_by_metric` and `step.duration_by_process` define these durations.
--
-- param   by  text in name|track = 'name'  what the events of a row have in common
--
-- column  run       text    id     name of the run
-- column  mode      text    name   train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  label     text    name   name or track of the events
-- column  n         bigint  count  steps with such events
-- column  dur_mean  double  ns     mean
-- column  dur_min   bigint  ns     shortest
-- column  dur_p50   double  ns     median
-- column  dur_p95   double  ns     95th percentile
-- column  dur_p99   double  ns     99th percentile
-- column  dur_max   bigint  ns     longest
--
-- needs   event_step, step_span
-- order   run, mode, label
-- source  sagemaker_framework, kineto, nsys

-- Each rank measures with one clock.
WITH ranked AS (
  SELECT run, span, mode, step, CASE $by WHEN 'track' THEN track ELSE name END AS label, max(ts + dur) - min(ts) AS dur
  FROM event_step
  WHERE step IS NOT NULL AND dur >= 0
  GROUP BY run, node, rank, span, mode, step, CASE $by WHEN 'track' THEN track ELSE name END
),

spans AS (
  SELECT run, span, mode, step, label, TRY_CAST(round(median(CAST(dur AS double))) AS bigint) AS dur
  FROM ranked
  GROUP BY run, span, mode, step, label
),

cut AS (
  SELECT run, span, mode, step
  FROM step_span
  WHERE complete IS FALSE
)

SELECT
  s.run,
  s.mode,
  s.label,
  count(*) AS n,
  avg(s.dur) AS dur_mean,
  min(s.dur) AS dur_min,
  median(s.dur) AS dur_p50,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY s.dur) AS dur_p95,
  percentile_cont(0.99) WITHIN GROUP (ORDER BY s.dur) AS dur_p99,
  max(s.dur) AS dur_max
FROM spans AS s
LEFT ANTI JOIN cut AS c
  ON c.run = s.run
    AND (c.span IS NOT DISTINCT FROM s.span)
    AND (c.mode IS NOT DISTINCT FROM s.mode)
    AND (c.step IS NOT DISTINCT FROM s.step)
GROUP BY s.run, s.mode, s.label
ORDER BY run, mode, label
