-- What was the critical path of each step bound by: host, loading, computation, communication, delays?
--
-- One row per step, or instance of an annotation, and what its critical path was spent on. `step.critical_path` defines the path and has
-- its edges. `ratio` is the share of the length of the path, as in the summary of HTA's `critical_path_analysis`. The row without
-- `bound_by` has the time on the path without weight: Python between outermost operators, and waits.
--
-- The windows are all steps unless you select others. A recording without steps is one window.
--
-- empty   no operator, call or device work starts in a step, or there is no such step or annotation (`annotation.summary` lists the annotations)
--
-- param   step        bigint = null  only the step with this number, as the profiler wrote it; not with `annotation`
-- param   annotation  text = null    windows are the annotations with this text in their names, instead of the steps
-- param   instance    bigint = null  only the window with this number in its recording, in order of time, from 0
-- param   loader      text = null    regular expression: operators and annotations with a matching name also count as data loading
--
-- column  run         text     id     name of the run
-- column  node        text     id     machine
-- column  rank        bigint   id     global rank of the process; null when unknown
-- column  span        bigint   id     recording of the process within the run, from 0
-- column  object      bigint   id     file of the row, see table object
-- column  instance    bigint   id     number of the window in its recording, from 0
-- column  bound_by    text     name   what the time was spent on; null for time without weight
-- column  annotation  text     name   name of the annotation; null for a step
-- column  mode        text     name   train, eval, predict or global; null when the profiler did not say
-- column  step        bigint   id     step number as the profiler wrote it; null for an annotation or a recording without steps
-- column  window_ts   bigint   time   start of the window
-- column  window_dur  bigint   ns     its length
-- column  n           bigint   count  edges of the path
-- column  dur         bigint   ns     their weight
-- column  ratio       double   ratio  `dur` over `path_dur`
-- column  gap         bigint   ns     time between the nodes that has no weight
-- column  path_dur    bigint   ns     length of the whole path: weights of all its edges
-- column  nodes       bigint   count  nodes of the graph of the window
-- column  edges       bigint   count  its edges
-- column  synced      boolean  flag   whether the recording has synchronization; null without device work
--
-- needs   event, path_event, step
-- order   run, node, rank, span, object, instance, bound_by
-- source  kineto, nsys, sagemaker_framework

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
  FROM event AS e
  LEFT ANTI JOIN (SELECT run, object FROM step WHERE ts IS NOT NULL AND dur > 0 GROUP BY run, object) AS s
    ON s.run = e.run AND s.object = e.object
  WHERE
    $annotation IS NULL
    AND e.category IN ('operator', 'loader', 'communication', 'runtime', 'driver')
    AND coalesce(e.device, 'cpu') = 'cpu'
    AND e.ts IS NOT NULL
    AND e.dur BETWEEN 0 AND 604800000000000
  GROUP BY e.run, e.node, e.rank, e.span, e.object
),

numbered AS (
  SELECT
    *,
    CAST(row_number() OVER (PARTITION BY run, object ORDER BY ts, dur, row) AS bigint) - 1 AS instance
  FROM timed
),

windows AS (
  SELECT *
  FROM numbered
  WHERE
    (step = $step OR $step IS NULL)
    AND (instance = $instance OR $instance IS NULL)
),

rows AS (
  SELECT
    run, object,
    CASE WHEN role IN ('operator', 'mark') AND regexp_like(name, $loader) THEN 'loader' ELSE role END AS role,
    row, ts, dur, pid, tid, device, stream, correlation, record, record_stream, forward, backward
  FROM path_event
  UNION ALL
  SELECT
    run, object, 'window' AS role, row, ts, dur, NULL AS pid, NULL AS tid, NULL AS device, NULL AS stream,
    NULL AS correlation, NULL AS record, NULL AS record_stream, NULL AS forward, NULL AS backward
  FROM windows
),

paths AS (
  SELECT
    run,
    object,
    CASE WHEN bool_or(role = 'work') THEN bool_or(role IN ('stream_sync', 'context_sync', 'event_sync', 'stream_wait')) END
      AS synced,
    critical_path(
      role, row, ts, dur, pid, tid, device, stream, correlation, record, record_stream, forward, backward
    ) AS path
  FROM rows
  GROUP BY run, object
),

edge AS (
  SELECT run, object, synced, unnest(path) AS edge
  FROM paths
),

bound AS (
  SELECT
    p.run,
    p.object,
    p.edge['window'] AS row,
    CASE p.edge['kind']
      WHEN 'host' THEN CASE WHEN e.category = 'communication' THEN 'communication' ELSE 'host' END
      WHEN 'work' THEN CASE
        WHEN e.category <> 'kernel' THEN 'memory'
        WHEN regexp_like(e.name, 'nccl', 'i') THEN 'communication'
        ELSE 'computation'
      END
      WHEN 'loader' THEN 'loader'
      WHEN 'launch_delay' THEN 'launch_delay'
      WHEN 'kernel_delay' THEN 'kernel_delay'
    END AS bound_by,
    p.edge['dur'] AS dur,
    p.edge['gap'] AS gap,
    p.edge['nodes'] AS nodes,
    p.edge['edges'] AS edges,
    p.synced
  FROM edge AS p
  JOIN event AS e ON e.run = p.run AND e.object = p.object AND e.row = p.edge['row']
),

summed AS (
  SELECT
    run,
    object,
    row,
    bound_by,
    count(*) AS n,
    sum(dur) AS dur,
    sum(gap) AS gap,
    min(nodes) AS nodes,
    min(edges) AS edges,
    bool_or(synced) AS synced
  FROM bound
  GROUP BY run, object, row, bound_by
),

shared AS (
  SELECT *, TRY_CAST(sum(dur) OVER (PARTITION BY run, object, row) AS bigint) AS path_dur
  FROM summed
)

SELECT
  w.run,
  w.node,
  w.rank,
  w.span,
  w.object,
  w.instance,
  s.bound_by,
  w.annotation,
  w.mode,
  w.step,
  w.ts AS window_ts,
  w.dur AS window_dur,
  s.n,
  s.dur,
  CAST(s.dur AS double) / nullif(s.path_dur, 0) AS ratio,
  s.gap,
  s.path_dur,
  s.nodes,
  s.edges,
  s.synced
FROM windows AS w
JOIN shared AS s ON s.run = w.run AND s.object = w.object AND s.row = w.row
ORDER BY run, node, rank, span, object, instance, bound_by
