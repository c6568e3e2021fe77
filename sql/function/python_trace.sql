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
-- needs   path_time
-- order   run, node, rank, function, file, line
-- source  kineto

WITH summed AS (
  SELECT
    run,
    node,
    rank,
    name,
    sum(n) AS n,
    sum(CASE WHEN outermost THEN host_total ELSE 0 END) AS host_total,
    sum(host_self) AS host_self,
    sum(CASE WHEN outermost THEN device_total ELSE 0 END) AS device_total,
    sum(device_self) AS device_self,
    -- `path/to/file.py(12): function`
    regexp_like(name, '^.*\([0-9]+\): .*$') AS has_file
  FROM path_time
  WHERE category IN ('python', 'module')
  GROUP BY run, node, rank, name
)

SELECT
  * EXCLUDE (name, has_file),
  CASE WHEN has_file THEN regexp_replace(name, '^(.*)\(([0-9]+)\): (.*)$', '\3') ELSE nullif(name, '') END AS function,
  CASE WHEN has_file THEN regexp_replace(name, '^(.*)\(([0-9]+)\): (.*)$', '\1') END AS file,
  CASE WHEN has_file THEN TRY_CAST(regexp_replace(name, '^(.*)\(([0-9]+)\): (.*)$', '\2') AS bigint) END AS line
FROM summed
ORDER BY run, node, rank, function, file, line
