-- In which step did each event happen, or in which step was it launched?
--
-- One row per event, with the step it belongs to. Device work belongs to the step that launched it: the view uses the time of the launch,
-- found by the correlation that the profiler wrote. Every other event, and device work without a recorded launch, belongs to the step in
-- which it starts. If steps of one recording overlap, the one that started last counts. A step is half-open: an event that starts at the
-- end of a step is after it.
--
-- `step` is null for an event outside all steps. If the profiler itself assigned a step to such an event, `step` is that one. `row` and
-- `object` identify the event in table `event`, which has its other columns.
--
-- Excluded: events without a time.
--
-- column  run          text    id    name of the run
-- column  node         text    id    machine
-- column  rank         bigint  id    global rank of the process; null when unknown
-- column  span         bigint  id    recording of the process within the run, from 0
-- column  mode         text    name  train, eval, predict or global
-- column  step         bigint  id    step number as the profiler wrote it
-- column  step_ts      bigint  time  start of the step; null when the event lies in none
-- column  category     text    name  what sort of work it is
-- column  name         text    name  name of the event
-- column  ts           bigint  time  start of the event
-- column  dur          bigint  ns    duration; null for an instant
-- column  launch_ts    bigint  time  start of the call that launched it; null when there is none
-- column  device       text    name  device it ran on (cpu, gpu0, ...)
-- column  stream       bigint  id    stream of the device
-- column  correlation  bigint  id    ties a call to the work that it launched
-- column  object       bigint  id    file of the row, see table object
-- column  row          bigint  id    ordinal of the row in its file
-- column  track        text    name  row a viewer would draw it on: phase, thread or stream
--
-- needs   event, step
-- order   run, ts, object, row
-- source  kineto, nsys, sagemaker_framework

-- A step ends at the latest when the next one starts, so an event is in at most one step.
WITH marked AS (
  SELECT
    *,
    least(ts + dur, lead(ts) OVER (PARTITION BY run, node, rank, span ORDER BY ts, ts + dur, mode, step)) AS till
  FROM step
  WHERE ts IS NOT NULL AND dur > 0
),

-- Divide the time of each recording into equal buckets, about eight per step. Time between steps has no buckets. An event then finds its
-- step by an equality join. Without buckets, the join compares each event with every step.
grid AS (
  SELECT
    run,
    node,
    rank,
    span,
    row_number() OVER (PARTITION BY run ORDER BY node, rank, span) AS recording,
    min(ts) AS origin,
    CAST(sum(till - ts) AS bigint) / (8 * count(*)) + 1 AS width
  FROM marked
  GROUP BY run, node, rank, span
),

cell AS (
  SELECT
    m.run,
    g.recording,
    m.mode AS cell_mode,
    m.step AS cell_step,
    m.ts AS cell_ts,
    m.till,
    unnest(generate_series((m.ts - g.origin) / g.width, (m.till - 1 - g.origin) / g.width)) AS cell
  FROM marked AS m
  INNER JOIN grid AS g
    ON g.run = m.run
      AND (g.node IS NOT DISTINCT FROM m.node)
      AND (g.rank IS NOT DISTINCT FROM m.rank)
      AND (g.span IS NOT DISTINCT FROM m.span)
  WHERE m.till > m.ts
),

-- A correlation is unique within a file.
launch AS (
  SELECT run, object, correlation, min(ts) AS ts
  FROM event
  WHERE category IN ('runtime', 'driver') AND correlation IS NOT NULL AND ts IS NOT NULL
  GROUP BY run, object, correlation
),

placed AS (
  SELECT
    e.*,
    l.ts AS launch_ts,
    coalesce(l.ts, e.ts) AS at
  -- The smaller input is on the left, so that the join builds its hash table from it. The same applies to the joins below.
  FROM launch AS l
  RIGHT JOIN event AS e ON e.run = l.run AND e.object = l.object AND e.correlation = l.correlation
  WHERE e.ts IS NOT NULL
)

SELECT
  p.run,
  p.node,
  p.rank,
  p.span,
  coalesce(c.cell_mode, p.mode) AS mode,
  coalesce(c.cell_step, p.step) AS step,
  c.cell_ts AS step_ts,
  p.category,
  p.name,
  p.ts,
  p.dur,
  p.launch_ts,
  p.device,
  p.stream,
  p.correlation,
  p.object,
  p.row,
  p.track
FROM cell AS c
RIGHT JOIN (
  SELECT q.*, g.recording, (q.at - g.origin) / g.width AS cell
  FROM grid AS g
  RIGHT JOIN placed AS q
    ON q.run = g.run
      AND (q.node IS NOT DISTINCT FROM g.node)
      AND (q.rank IS NOT DISTINCT FROM g.rank)
      AND (q.span IS NOT DISTINCT FROM g.span)
) AS p
  ON p.run = c.run AND p.recording = c.recording AND p.cell = c.cell AND p.at >= c.cell_ts AND p.at < c.till
ORDER BY p.run, p.ts, p.object, p.row
