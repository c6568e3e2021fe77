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
-- column  mode        text     name   train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
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
-- needs   path_edge
-- order   run, node, rank, span, object, instance, bound_by
-- source  kineto, nsys, sagemaker_framework

WITH summed AS (
  SELECT
    run,
    node,
    rank,
    span,
    object,
    instance,
    bound_by,
    annotation,
    mode,
    step,
    window_ts,
    window_dur,
    count(*) AS n,
    sum(dur) AS dur,
    sum(gap) AS gap,
    TRY_CAST(sum(sum(dur)) OVER (PARTITION BY run, object, span, instance) AS bigint) AS path_dur,
    min(nodes) AS nodes,
    min(edges) AS edges,
    bool_or(synced) AS synced
  FROM path_edge($step, $annotation, $instance, $loader, false)
  GROUP BY run, node, rank, span, object, instance, bound_by, annotation, mode, step, window_ts, window_dur
)

SELECT *, CAST(dur AS double) / nullif(path_dur, 0) AS ratio
FROM summed
ORDER BY run, node, rank, span, object, instance, bound_by
