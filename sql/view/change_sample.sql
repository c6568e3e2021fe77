-- What did each run of a comparison measure of what is compared?
--
-- One row per run of a side and thing that is compared: the duration of each step by mode, the time of each role in each step
-- (`step.breakdown`; of batches, view `step_time`, waiting and the rest), or one value for the whole run: the share of time that it waited for data (`job.key_figures`), means of what
-- the machines measured (`system_sample`), greatest memory in use by device, host time of operators by themselves
-- (`operator.summary`) and device time of kernels and copies over the number of steps (`step_window`: a recording without step
-- marks is one step).
--
-- Left out of steps and roles: steps that a recording cut short.
--
-- param   a       text[] = null  runs of side a, what was; null for those of side b
-- param   b       text[] = null  runs of side b, what is, taken together; null for each run by itself
-- param   a_span  bigint = null  only this recording of the runs of side a; null for all
-- param   b_span  bigint = null  the same of side b
--
-- column  run      text    id     what is compared: the run, or the names of all runs of side b
-- column  side     text    name   a or b
-- column  source   text    id     run that belongs to the side
-- column  subject  text    name   step, role, loader, utilization, memory, operator or kernel
-- column  name     text    name   mode, role, quantity, device, operator or kernel
-- column  unit     text    name   unit of the values
-- column  value    double  mixed  one value of it, in the unit of column unit
--
-- needs   change_side, step_time, step_role, process_wait, system_sample, allocation, host_frame, device_work, step_window
-- order   run, subject, name, unit, side, source, value
-- source  kineto, nsys, sagemaker_framework, sagemaker_system, recorder, loader_timings

WITH side AS (
  SELECT run, side, source, CASE WHEN side = 'a' THEN $a_span ELSE $b_span END AS span
  FROM change_side($a, $b)
),

-- What has a value of its own for every step, or one for the whole run.
measured AS (
  SELECT run AS source, span, 'step' AS subject, coalesce(mode, 'step') AS name, 'ns' AS unit, CAST(dur AS double) AS value
  FROM step_time
  WHERE dur IS NOT NULL AND complete IS NOT FALSE
  UNION ALL
  SELECT
    b.run AS source,
    b.span,
    'role' AS subject,
    r.name,
    'ns' AS unit,
    CAST(CASE r.name WHEN 'loader' THEN b.load ELSE b.dur - b.load END AS double) AS value
  FROM step_time AS b
  CROSS JOIN (VALUES ('loader'), ('other')) AS r (name)
  WHERE b.load IS NOT NULL
  UNION ALL
  SELECT
    b.run AS source,
    b.span,
    'role' AS subject,
    r.name,
    'ns' AS unit,
    CAST(
      CASE r.name
        WHEN 'kernel' THEN b.kernel
        WHEN 'memcpy' THEN b.memcpy
        WHEN 'memset' THEN b.memset
        WHEN 'communication' THEN b.communication
        WHEN 'runtime' THEN b.runtime
        WHEN 'loader' THEN b.loader
        WHEN 'cpu' THEN b.cpu
        ELSE b.other
      END AS double
    ) AS value
  FROM step_role AS b
  CROSS JOIN (
    VALUES ('kernel'), ('memcpy'), ('memset'), ('communication'), ('runtime'), ('loader'), ('cpu'), ('other')
  ) AS r (name)
  WHERE NOT b.extended AND b.complete IS NOT FALSE
  UNION ALL
  SELECT
    run AS source,
    NULL AS span,
    'loader' AS subject,
    'share of time' AS name,
    'ratio' AS unit,
    avg(CAST(wait AS double) / nullif(busy, 0)) AS value
  FROM process_wait
  WHERE busy IS NOT NULL
  GROUP BY run
  UNION ALL
  SELECT run AS source, NULL AS span, 'utilization' AS subject, resource || ' ' || metric AS name, unit, avg(value) AS value
  FROM system_sample
  GROUP BY run, resource, metric, unit
  UNION ALL
  SELECT run AS source, span, 'memory' AS subject, device AS name, 'bytes' AS unit, CAST(max(allocated_bytes) AS double) AS value
  FROM allocation
  WHERE allocated_bytes IS NOT NULL
  GROUP BY run, span, device
),

-- What is summed, and held against the number of steps.
worked AS (
  SELECT run AS source, span, 'operator' AS subject, name, sum(host_self) AS dur
  FROM host_frame
  WHERE category = 'operator'
  GROUP BY run, span, name
  UNION ALL
  SELECT run AS source, span, 'kernel' AS subject, name, sum(dur) AS dur
  FROM device_work
  GROUP BY run, span, name
),

stepped AS (
  SELECT s.run, s.side, s.source, count(*) AS steps
  FROM step_window AS m
  JOIN side AS s ON s.source = m.run
  WHERE
    ($a IS NULL OR $b IS NULL OR array_has(array_concat($a, $b), m.run))
    AND (s.span IS NULL OR m.span IS NULL OR m.span = s.span)
  GROUP BY s.run, s.side, s.source
),

summed AS (
  SELECT s.run, s.side, s.source, m.subject, m.name, sum(m.dur) AS dur
  FROM worked AS m
  JOIN side AS s ON s.source = m.source
  WHERE
    ($a IS NULL OR $b IS NULL OR array_has(array_concat($a, $b), m.source))
    AND (s.span IS NULL OR m.span IS NULL OR m.span = s.span)
  GROUP BY s.run, s.side, s.source, m.subject, m.name
)

SELECT s.run, s.side, s.source, m.subject, m.name, m.unit, m.value
FROM measured AS m
JOIN side AS s ON s.source = m.source
WHERE
  ($a IS NULL OR $b IS NULL OR array_has(array_concat($a, $b), m.source))
  AND (s.span IS NULL OR m.span IS NULL OR m.span = s.span)
UNION ALL
SELECT d.run, d.side, d.source, d.subject, d.name, 'ns' AS unit, CAST(d.dur AS double) / n.steps AS value
FROM summed AS d
JOIN stepped AS n ON n.run = d.run AND n.side = d.side AND n.source = d.source
ORDER BY run, subject, name, unit, side, source, value
