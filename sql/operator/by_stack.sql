-- From which places in the code were operators called, and how much time did they take there?
--
-- One row per operator name, Python stack and process rank. The other columns are those of `operator.summary`. The stack is the one that
-- the profiler wrote for the operator (until PyTorch 1.12). Otherwise it is the Python functions and modules that enclose the operator on
-- its thread, innermost first, with `;` between them. It is null if none was recorded (`with_stack=True` enables it), and on the separate
-- thread of a device's backward pass.
--
-- empty   there are no operators; record a trace of the PyTorch profiler with ProfilerActivity.CPU, or an export of Nsight Systems with emit_nvtx of PyTorch
--
-- column  run           text    id     name of the run
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  name          text    name   name of the operator
-- column  stack         text    text   Python functions around it, innermost first; null when not recorded
-- column  n             bigint  count  calls
-- column  host_total    bigint  ns     time in its calls, thread by thread
-- column  host_self     bigint  ns     time in it and in nothing inside
-- column  device_total  bigint  ns     device work launched in it and everything inside
-- column  device_self   bigint  ns     device work that it launched itself, not in rows inside
--
-- needs   call_path, event, host_call
-- order   run, node, rank, name, stack
-- source  kineto, nsys, sagemaker_framework

-- Excludes threads without operators: the threads of Python's calls, in traces of PyTorch 2.3 to 2.7, and the phases of SageMaker.
WITH threads AS (
  SELECT DISTINCT run, coalesce(tid, -1) AS thread
  FROM event
  WHERE category = 'operator'
),

-- The rows of paths count depth first: a path encloses the `paths_inside` rows that follow it.
stacks AS (
  SELECT run, object, row, concat_ws(';', name, call_stack(name, row, paths_inside + 1) OVER (PARTITION BY run, object ORDER BY row)) AS stack
  FROM call_path
  WHERE category IN ('python', 'module')
),

stacked AS (
  SELECT
    h.*,
    coalesce(CASE WHEN h.category = 'operator' THEN nullif(extract_arg(h.args, 'Call stack'), '') END, s.stack) AS stack
  FROM threads AS t
  JOIN host_call AS h ON h.run = t.run AND coalesce(h.tid, -1) = t.thread
  LEFT JOIN stacks AS s ON s.run = h.run AND s.object = h.object AND s.row = h.python_path
  WHERE h.category NOT IN ('python', 'module')
),

-- An operator that calls itself from another place counts for both.
framed AS (
  SELECT
    *,
    call_frame(CASE WHEN NOT is_launch THEN concat(name, ' ', stack) END, ts, dur, work) OVER (
      PARTITION BY run, node, rank, span, pid, tid ORDER BY ts, dur DESC, is_launch, object, row
    ) AS frame
  FROM stacked
)

SELECT
  run,
  node,
  rank,
  name,
  stack,
  count(*) AS n,
  sum(CASE WHEN frame['outermost'] THEN dur ELSE 0 END) AS host_total,
  sum(frame['self_dur']) AS host_self,
  sum(CASE WHEN frame['outermost'] THEN frame['total_work'] ELSE 0 END) AS device_total,
  sum(frame['self_work']) AS device_self
FROM framed
WHERE category = 'operator'
GROUP BY run, node, rank, name, stack
ORDER BY run, node, rank, name, stack
