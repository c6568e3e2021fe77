-- When did each step of a rank start and end, on the host and with the work it launched?
--
-- Two rows per step. With `extended` false, the row is the step as the profiler marked it on the host. With `extended` true, the step ends
-- when the last device work that it launched has ended. It starts no earlier than the end of the extended step before it, so extended steps
-- never overlap. Work belongs to a step if the call that launched it is inside the step. Before the first step, the device may still be
-- busy with earlier work. The first extended step then starts when this work ends.
--
-- The definition is that of the TensorBoard plugin of PyTorch, with one difference: the plugin drops the last steps if they launched little
-- or no work, and this view includes all steps.
--
-- column  run       text     id    name of the run
-- column  node      text     id    machine
-- column  rank      bigint   id    global rank of the process; null when unknown
-- column  span      bigint   id    recording of the process within the run, from 0
-- column  extended  boolean  flag  whether the step lasts until the work it launched has ended
-- column  mode      text     name  train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  step      bigint   id    step number as the profiler wrote it; null for a recording without steps
-- column  ts        bigint   time  start
-- column  dur       bigint   ns    duration
-- column  complete  boolean  flag  false when the recording ended inside the step
--
-- needs   event, device_work, step_window
-- order   run, node, rank, span, extended, ts
-- source  kineto, nsys, sagemaker_framework

-- The device work that each call launched. A correlation is unique within a file.
WITH launched AS (
  SELECT run, object, correlation, min(ts) AS first_ts, max(ts + dur) AS last_end
  FROM device_work
  WHERE correlation IS NOT NULL
  GROUP BY run, object, correlation
),

-- Steps (with an ordinal) and calls in one list, so that a window can carry the last step to the calls after its start.
mark AS (
  SELECT
    run,
    node,
    rank,
    span,
    mode,
    step,
    complete,
    ts,
    ts + dur AS till,
    NULL AS first_ts,
    NULL AS last_end,
    row_number() OVER (PARTITION BY run, node, rank, span ORDER BY ts, dur, mode, step) AS ordinal
  FROM step_window
  UNION ALL
  SELECT
    c.run,
    c.node,
    c.rank,
    c.span,
    NULL AS mode,
    NULL AS step,
    NULL AS complete,
    c.ts,
    c.ts + c.dur AS till,
    l.first_ts,
    l.last_end,
    NULL AS ordinal
  FROM event AS c
  INNER JOIN launched AS l ON l.run = c.run AND l.object = c.object AND l.correlation = c.correlation
  WHERE c.category IN ('runtime', 'driver') AND c.ts IS NOT NULL AND c.dur IS NOT NULL
),

carried AS (
  SELECT
    *,
    max(ordinal) OVER (
      PARTITION BY run, node, rank, span ORDER BY ts, ordinal ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS place,
    last_value(CASE WHEN ordinal IS NOT NULL THEN till END) IGNORE NULLS OVER (
      PARTITION BY run, node, rank, span ORDER BY ts, ordinal ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS step_end
  FROM mark
),

-- A call that crosses the end of a step is in no step.
judged AS (
  SELECT
    *,
    till <= step_end AS inside,
    min(CASE WHEN place = 1 AND till <= step_end THEN first_ts END) OVER (PARTITION BY run, node, rank, span) AS first_work
  FROM carried
),

freed AS (
  SELECT
    *,
    max(CASE WHEN inside IS NOT TRUE AND last_end < first_work THEN last_end END) OVER (
      PARTITION BY run, node, rank, span
    ) AS free_from
  FROM judged
),

reaching AS (
  SELECT
    run,
    node,
    rank,
    span,
    place,
    max(mode) AS mode,
    max(step) AS step,
    bool_and(complete) AS complete,
    min(ts) FILTER (WHERE ordinal IS NOT NULL) AS ts,
    greatest(max(till) FILTER (WHERE ordinal IS NOT NULL), max(last_end) FILTER (WHERE inside)) AS reach,
    max(free_from) AS free_from
  FROM freed
  WHERE place IS NOT NULL
  GROUP BY run, node, rank, span, place
),

chained AS (
  SELECT
    *,
    greatest(
      ts,
      free_from,
      max(reach) OVER (
        PARTITION BY run, node, rank, span ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      )
    ) AS extended_ts
  FROM reaching
)

SELECT run, node, rank, span, false AS extended, mode, step, ts, dur, complete
FROM step_window
UNION ALL
SELECT
  run,
  node,
  rank,
  span,
  true AS extended,
  mode,
  step,
  extended_ts AS ts,
  greatest(reach - extended_ts, 0) AS dur,
  complete
FROM chained
ORDER BY run, node, rank, span, extended, ts
