-- Which values did each run of a comparison measure?
--
-- One row per run of a side and value. Steps have one value each: their duration, by mode. Roles have one value per step: the time of the
-- role (`step.breakdown`). Batches (view `step_time`) have two roles: waiting, and the rest.
--
-- All other subjects have one value for the whole run: the share of time spent waiting for data (`job.key_metrics`), the means of the
-- machines' measurements (`system_sample`), the maximum memory in use per device, the own host time of operators (`operator.summary`), and
-- the device time of kernels and copies. The times of operators, kernels and copies are divided by the number of steps (`step_window`: a
-- recording without step marks is one step).
--
-- Excluded from steps and roles: steps that are incomplete because the recording ended.
--
-- param   a       text[] in run = null  runs of side a (baseline); null for the runs of side b
-- param   b       text[] in run = null  runs of side b (candidate), compared as one group; null for each run by itself
-- param   a_span  bigint = null         only this recording of the runs of side a; null for all
-- param   b_span  bigint = null         only this recording of the runs of side b; null for all
--
-- column  run         text    id     what is compared: the run, or the names of all runs of side b
-- column  side        text    name   a or b
-- column  source_run  text    id     run that belongs to the side
-- column  subject     text    name   step, role, loader, utilization, memory, operator or kernel
-- column  name        text    name   mode, role, quantity, device, operator or kernel
-- column  unit        text    name   unit as recorded
-- column  value       double  mixed  one value of it, in the unit of column unit
--
-- needs   change_side, step_time, step_role, process_wait, system_sample, allocation, path_time, device_work, step_window
-- order   run, subject, name, unit, side, source_run, value
-- source  kineto, nsys, sagemaker_framework, sagemaker_system, recorder, loader_timings

WITH side AS (
  SELECT run, side, source_run, CASE WHEN side = 'a' THEN $a_span ELSE $b_span END AS span
  FROM change_side($a, $b)
),

-- Subjects with one value per step, or one value for the whole run.
measured AS (
  SELECT run AS source_run, span, 'step' AS subject, coalesce(mode, 'step') AS name, 'ns' AS unit, CAST(dur AS double) AS value
  FROM step_time
  WHERE dur IS NOT NULL AND complete IS NOT FALSE
  UNION ALL
  SELECT
    run AS source_run,
    span,
    'role' AS subject,
    unnest(['loader', 'other']) AS name,
    'ns' AS unit,
    CAST(unnest([load, dur - load]) AS double) AS value
  FROM step_time
  WHERE load IS NOT NULL
  UNION ALL
  SELECT
    run AS source_run,
    span,
    'role' AS subject,
    unnest(['kernel', 'memcpy', 'memset', 'communication', 'runtime', 'loader', 'cpu', 'other']) AS name,
    'ns' AS unit,
    CAST(unnest([kernel, memcpy, memset, communication, runtime, exposed_loader, cpu, other]) AS double) AS value
  FROM step_role
  WHERE NOT extended AND complete IS NOT FALSE
  UNION ALL
  SELECT
    run AS source_run,
    NULL AS span,
    'loader' AS subject,
    'share of time' AS name,
    'ratio' AS unit,
    avg(CAST(wait AS double) / nullif(wait_or_step, 0)) AS value
  FROM process_wait
  WHERE wait_or_step IS NOT NULL
  GROUP BY run
  UNION ALL
  SELECT run AS source_run, NULL AS span, 'utilization' AS subject, resource || ' ' || metric AS name, unit, avg(value) AS value
  FROM system_sample
  GROUP BY run, resource, metric, unit
  UNION ALL
  SELECT run AS source_run, span, 'memory' AS subject, device AS name, 'bytes' AS unit, CAST(max(allocated_bytes) AS double) AS value
  FROM allocation
  WHERE allocated_bytes IS NOT NULL
  GROUP BY run, span, device
),

-- Subjects with a sum that is divided by the number of steps.
worked AS (
  SELECT run AS source_run, span, 'operator' AS subject, name, sum(host_self) AS dur
  FROM path_time
  WHERE category = 'operator'
  GROUP BY run, span, name
  UNION ALL
  SELECT run AS source_run, span, 'kernel' AS subject, name, sum(dur) AS dur
  FROM device_work
  GROUP BY run, span, name
),

stepped AS (
  SELECT s.run, s.side, s.source_run, count(*) AS steps
  FROM step_window AS m
  JOIN side AS s ON s.source_run = m.run
  WHERE
    ($a IS NULL OR $b IS NULL OR array_has(array_concat($a, $b), m.run))
    AND (s.span IS NULL OR m.span IS NULL OR m.span = s.span)
  GROUP BY s.run, s.side, s.source_run
),

summed AS (
  SELECT s.run, s.side, s.source_run, m.subject, m.name, sum(m.dur) AS dur
  FROM worked AS m
  JOIN side AS s ON s.source_run = m.source_run
  WHERE
    ($a IS NULL OR $b IS NULL OR array_has(array_concat($a, $b), m.source_run))
    AND (s.span IS NULL OR m.span IS NULL OR m.span = s.span)
  GROUP BY s.run, s.side, s.source_run, m.subject, m.name
)

SELECT s.run, s.side, s.source_run, m.subject, m.name, m.unit, m.value
FROM measured AS m
JOIN side AS s ON s.source_run = m.source_run
WHERE
  ($a IS NULL OR $b IS NULL OR array_has(array_concat($a, $b), m.source_run))
  AND (s.span IS NULL OR m.span IS NULL OR m.span = s.span)
UNION ALL
SELECT d.run, d.side, d.source_run, d.subject, d.name, 'ns' AS unit, CAST(d.dur AS double) / n.steps AS value
FROM summed AS d
JOIN stepped AS n ON n.run = d.run AND n.side = d.side AND n.source_run = d.source_run
ORDER BY run, subject, name, unit, side, source_run, value
