-- During which time did each recording of a profiler cover training?
--
-- From the start of the first step to the end of the last one. If a call between the two launched device work that ends later, the window
-- ends with that work: devices work asynchronously and finish after the host. For a recording without steps, the window is from the start
-- of its first operator, launch or device work to the end of the last one, and `steps` is 0.
--
-- The TensorBoard plugin uses the same time, except that it may drop steps at the end.
--
-- column  run     text    id     name of the run
-- column  node    text    id     machine
-- column  rank    bigint  id     global rank of the process; null when unknown
-- column  span    bigint  id     recording of the process within the run, from 0
-- column  object  bigint  id     file of the row, see table object
-- column  ts      bigint  time   start
-- column  dur     bigint  ns     length
-- column  steps   bigint  count  steps in it
--
-- needs   device_work, event, timed_event, step
-- order   run, object, span
-- source  kineto, nsys

WITH recorded AS (
  SELECT run, node, rank, span, object, min(ts) AS first_ts, max(ts + dur) AS last_ts
  FROM timed_event
  WHERE category IN ('operator', 'communication', 'runtime', 'driver', 'kernel', 'memcpy', 'memset')
  GROUP BY run, node, rank, span, object
),

marked AS (
  SELECT run, object, span, min(ts) AS first_ts, max(ts + dur) AS last_ts, count(*) AS steps
  FROM step
  WHERE ts IS NOT NULL AND dur IS NOT NULL
  GROUP BY run, object, span
),

-- A correlation may occur more than once in a file: both sides of the join have it once.
launches AS (
  SELECT m.run, m.object, m.span, e.correlation
  FROM marked AS m
  JOIN event AS e ON e.run = m.run AND e.object = m.object AND e.ts >= m.first_ts AND e.ts + e.dur <= m.last_ts
    AND coalesce(e.span, 0) = coalesce(m.span, 0)
  WHERE e.category IN ('runtime', 'driver')
  GROUP BY m.run, m.object, m.span, e.correlation
),

work AS (
  SELECT run, object, correlation, max(ts + dur) AS last_ts
  FROM device_work
  GROUP BY run, object, correlation
),

launched AS (
  SELECT l.run, l.object, l.span, max(w.last_ts) AS last_ts
  FROM launches AS l
  JOIN work AS w ON w.run = l.run AND w.object = l.object AND w.correlation = l.correlation
  GROUP BY l.run, l.object, l.span
)

SELECT
  r.* EXCLUDE (first_ts, last_ts),
  coalesce(m.first_ts, r.first_ts) AS ts,
  coalesce(greatest(m.last_ts, l.last_ts), r.last_ts) - coalesce(m.first_ts, r.first_ts) AS dur,
  coalesce(m.steps, 0) AS steps
FROM recorded AS r
LEFT JOIN marked AS m ON m.run = r.run AND m.object = r.object AND coalesce(m.span, 0) = coalesce(r.span, 0)
LEFT JOIN launched AS l ON l.run = r.run AND l.object = r.object AND coalesce(l.span, 0) = coalesce(r.span, 0)
ORDER BY run, object, span
