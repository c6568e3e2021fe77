-- How much time did each Python function take, and how much device work did it launch?
--
-- One row per function and process rank, from traces that record every call (`with_stack=True` of the PyTorch profiler). `host_total` is
-- the time in calls, added up over the threads; recursion counts once. `host_self` excludes the Python functions called inside, but not the
-- operators. Modules appear as functions named `nn.Module: ...`, and `function.modules` has their tree. A function of the interpreter
-- (`<built-in method ...>`) has no file.
--
-- Device work counts for all functions that enclose the launching call on the same thread. Traces of PyTorch 2.3 to 2.7 have functions on a
-- separate thread, where device work is 0.
--
-- empty   there are no Python functions; record the trace with with_stack=True
--
-- column  run           text    id     name of the run
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  function      text    name   name of the function
-- column  file          text    name   source file; null for built-in functions and modules
-- column  line          bigint  id     line in the file
-- column  n             bigint  count  calls
-- column  host_total    bigint  ns     time in its calls, thread by thread
-- column  host_self     bigint  ns     time in it and in nothing inside
-- column  device_total  bigint  ns     device work launched in it and everything inside
-- column  device_self   bigint  ns     device work that it launched itself, not in rows inside
--
-- needs   host_call
-- order   run, node, rank, function, file, line
-- source  kineto

WITH framed AS (
  SELECT
    *,
    call_frame(
      CASE WHEN NOT is_launch THEN coalesce(name, '') END, ts, CASE WHEN is_launch THEN 0 ELSE dur END, work
    ) OVER (PARTITION BY run, node, rank, span, pid, tid ORDER BY ts, dur DESC, is_launch, object, row) AS frame
  FROM host_call
  WHERE category IN ('python', 'module', 'runtime', 'driver')
),

summed AS (
  SELECT
    run,
    node,
    rank,
    name,
    count(*) AS n,
    sum(CASE WHEN frame['outermost'] THEN dur ELSE 0 END) AS host_total,
    sum(frame['self_dur']) AS host_self,
    sum(CASE WHEN frame['outermost'] THEN frame['total_work'] ELSE 0 END) AS device_total,
    sum(frame['self_work']) AS device_self,
    -- `path/to/file.py(12): function`
    regexp_match(name, '^(.*)\(([0-9]+)\): (.*)$') AS parts
  FROM framed
  WHERE NOT is_launch
  GROUP BY run, node, rank, name
)

SELECT
  * EXCLUDE (name, parts),
  coalesce(parts[3], name) AS function,
  parts[1] AS file,
  TRY_CAST(parts[2] AS bigint) AS line
FROM summed
ORDER BY run, node, rank, function, file, line
