-- What is the critical path of each step, edge by edge?
--
-- `step.critical_path` defines the path and describes the columns.
--
-- param   step        bigint = null  only the step with this number, as the profiler wrote it; not with `annotation`
-- param   annotation  text = null    windows are the annotations with this text in their names, instead of the steps
-- param   instance    bigint = null  only the window with this number in its recording, in order of time, from 0
-- param   loader      text = null    regular expression: operators and annotations with a matching name also count as data loading
-- param   longest     boolean = true  only the longest complete window of each recording, unless `step` or `instance` selects others
--
-- column  run         text     id     name of the run
-- column  node        text     id     machine
-- column  rank        bigint   id     global rank of the process; null when unknown
-- column  span        bigint   id     recording of the process within the run, from 0
-- column  object      bigint   id     file of the row, see table object
-- column  instance    bigint   id     number of the window in its recording, from 0
-- column  position    bigint   id     position in its group, from 0
-- column  annotation  text     name   name of the annotation; null for a step
-- column  mode        text     name   train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  step        bigint   id     step number as the profiler wrote it; null for an annotation or a recording without steps
-- column  window_ts   bigint   time   start of the window
-- column  window_dur  bigint   ns     its length
-- column  kind        text     name   what the edge stands for
-- column  bound_by    text     name   what the time was spent on; null without one
-- column  category    text     name   category of the event that the edge is about
-- column  name        text     name   its name
-- column  pid         bigint   id     operating system process id; null on a device
-- column  track       text     name   row a viewer would draw it on: phase, thread or stream
-- column  device      text     name   device it ran on (cpu, gpu0)
-- column  ts          bigint   time   time of the node that the edge leaves
-- column  dur         bigint   ns     weight
-- column  gap         bigint   ns     time between the nodes that has no weight
-- column  row         bigint   id     ordinal of the row in its file
-- column  nodes       bigint   count  nodes of the graph of the window
-- column  edges       bigint   count  its edges
-- column  synced      boolean  flag   whether the recording has synchronization; null without device work
--
-- needs   event, timed_event, path_event, step
-- order   run, node, rank, span, object, instance, position
-- source  kineto, nsys

WITH timed AS (
  SELECT run, node, rank, span, object, row, nullif(mode, mode) AS annotation, mode, step, ts, dur, complete
  FROM step
  WHERE $annotation IS NULL AND ts IS NOT NULL AND dur > 0
  UNION ALL
  SELECT run, node, rank, span, object, row, name AS annotation, NULL AS mode, NULL AS step, ts, dur, NULL AS complete
  FROM event
  WHERE
    $annotation IS NOT NULL
    AND category IN ('annotation', 'communication', 'step', 'loader')
    AND coalesce(device, 'cpu') = 'cpu'
    AND strpos(name, $annotation) > 0
    AND ts IS NOT NULL
    AND dur > 0
  UNION ALL
  SELECT
    e.run, e.node, e.rank, e.span, e.object, -1 AS row, NULL AS annotation, NULL AS mode, NULL AS step,
    min(e.ts) AS ts, max(e.ts + e.dur) - min(e.ts) AS dur, NULL AS complete
  FROM timed_event AS e
  LEFT ANTI JOIN (SELECT run, object FROM step WHERE ts IS NOT NULL AND dur > 0 GROUP BY run, object) AS s
    ON s.run = e.run AND s.object = e.object
  WHERE
    $annotation IS NULL
    AND e.category IN ('operator', 'loader', 'communication', 'runtime', 'driver')
    AND coalesce(e.device, 'cpu') = 'cpu'
    AND e.ts IS NOT NULL
  GROUP BY e.run, e.node, e.rank, e.span, e.object
),

numbered AS (
  SELECT
    *,
    CAST(row_number() OVER (PARTITION BY run, object, span ORDER BY ts, dur, row) AS bigint) - 1 AS instance,
    row_number() OVER (
      PARTITION BY run, object, span ORDER BY complete IS FALSE, dur DESC, ts, row
    ) AS place_by_length
  FROM timed
),

windows AS (
  SELECT *
  FROM numbered
  WHERE
    (step = $step OR $step IS NULL)
    AND (instance = $instance OR $instance IS NULL)
    AND (place_by_length = 1 OR NOT $longest OR $step IS NOT NULL OR $instance IS NOT NULL)
),

rows AS (
  SELECT
    run, object, span,
    CASE WHEN role IN ('operator', 'mark') AND regexp_like(name, $loader) THEN 'loader' ELSE role END AS role,
    row, ts, dur, pid, tid, device, stream, correlation, record, record_stream, forward, backward
  FROM path_event
  UNION ALL
  SELECT
    run, object, span, 'window' AS role, row, ts, dur, NULL AS pid, NULL AS tid, NULL AS device, NULL AS stream,
    NULL AS correlation, NULL AS record, NULL AS record_stream, NULL AS forward, NULL AS backward
  FROM windows
),

edge AS (
  SELECT
    run,
    object,
    span,
    CASE WHEN bool_or(role = 'work') THEN bool_or(role IN ('stream_sync', 'context_sync', 'event_sync', 'stream_wait')) END
      AS synced,
    unnest(
      critical_path(
        role, row, ts, dur, pid, tid, device, stream, correlation, record, record_stream, forward, backward
      )
    ) AS edge
  FROM rows
  GROUP BY run, object, span
)

SELECT
  w.run,
  w.node,
  w.rank,
  w.span,
  w.object,
  w.instance,
  p.edge['place'] AS position,
  w.annotation,
  w.mode,
  w.step,
  w.ts AS window_ts,
  w.dur AS window_dur,
  p.edge['kind'] AS kind,
  CASE p.edge['kind']
    WHEN 'host' THEN CASE WHEN e.category = 'communication' THEN 'communication' ELSE 'host' END
    WHEN 'work' THEN e.type
    WHEN 'loader' THEN 'loader'
    WHEN 'launch_delay' THEN 'launch_delay'
    WHEN 'kernel_delay' THEN 'kernel_delay'
  END AS bound_by,
  e.category,
  e.name,
  CASE WHEN coalesce(e.device, 'cpu') = 'cpu' THEN e.pid END AS pid,
  coalesce(e.track, e.category) AS track,
  e.device,
  p.edge['ts'] AS ts,
  p.edge['dur'] AS dur,
  p.edge['gap'] AS gap,
  p.edge['row'] AS row,
  p.edge['nodes'] AS nodes,
  p.edge['edges'] AS edges,
  p.synced
FROM windows AS w
JOIN edge AS p ON p.run = w.run AND p.object = w.object AND p.span = w.span AND p.edge['window'] = w.row
JOIN timed_event AS e ON e.run = w.run AND e.object = w.object AND e.row = p.edge['row']
ORDER BY run, node, rank, span, object, instance, position
