-- Which calls ran inside which others, and where in that tree did the time of host and device go?
--
-- One row per chain of names on a process rank. All calls with the same enclosing calls are one node, regardless of thread and step. Nodes
-- are operators, annotations, collectives and calls of a data loader, and with `python` also Python functions and modules. A call is inside
-- the last call of its thread that began no later, ends no earlier and still runs. `path_id` identifies the chain of names: the same chain
-- has the same `path_id` in every run.
--
-- `host_self` is the time in which nothing ran directly inside. `device_self` is the device work that the calls launched themselves.
-- `device_total` also has the device work of everything inside. Both add up durations, so parallel device work counts more than once. The
-- `host_total` of all children of a node adds up to at most that of the node, unless they overlap in part.
--
-- Excluded: step marks, which would divide the tree into steps.
--
-- empty   there are no operators; record a trace of the PyTorch profiler with ProfilerActivity.CPU, or an export of Nsight Systems with emit_nvtx of PyTorch
--
-- param   python  boolean = false  whether Python functions and modules are nodes
--
-- column  run           text    id     name of the run
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  path_id       bigint  id     identifies the path of names from the outermost to this one, in any run
-- column  parent_id     bigint  id     `path_id` of the enclosing row; null for the outermost
-- column  depth         bigint  count  rows that enclose it
-- column  category      text    name   operator, annotation, communication, loader, python or module
-- column  name          text    name   name of the call
-- column  n             bigint  count  calls
-- column  host_total    bigint  ns     time in its calls, thread by thread
-- column  host_self     bigint  ns     time in it and in nothing inside
-- column  device_total  bigint  ns     device work launched in it and everything inside
-- column  device_self   bigint  ns     device work that it launched itself, not in rows inside
--
-- needs   host_call, path_time
-- order   run, node, rank, depth, name, path_id
-- source  kineto, nsys, sagemaker_framework

-- Paths without Python are intervals: their rows count depth first, and a path encloses the `paths_inside` rows that follow it. Python
-- functions and operators nest among themselves at ingest, so their common tree is made of all calls.
WITH nested AS (
  SELECT
    run,
    node,
    rank,
    span,
    object AS pid,
    CAST(NULL AS bigint) AS tid,
    category,
    name,
    row AS ts,
    paths_inside + 1 AS dur,
    device_self AS work,
    false AS is_launch,
    n,
    host_total,
    host_self,
    object,
    row
  FROM path_time
  WHERE NOT $python AND category NOT IN ('python', 'module')
  UNION ALL
  SELECT
    run,
    node,
    rank,
    span,
    pid,
    tid,
    category,
    coalesce(name, '') AS name,
    ts,
    dur,
    work,
    is_launch,
    1 AS n,
    dur AS host_total,
    CAST(NULL AS bigint) AS host_self,
    object,
    row
  FROM host_call
  WHERE $python
),

framed AS (
  SELECT
    *,
    call_frame(CASE WHEN NOT is_launch THEN name END, ts, dur, work) OVER (
      PARTITION BY run, node, rank, span, pid, tid ORDER BY ts, dur DESC, is_launch, object, row
    ) AS frame
  FROM nested
)

SELECT
  run,
  node,
  rank,
  frame['path'] AS path_id,
  min(frame['parent']) AS parent_id,
  min(frame['depth']) AS depth,
  min(category) AS category,
  nullif(min(name), '') AS name,
  sum(n) AS n,
  sum(host_total) AS host_total,
  sum(coalesce(host_self, frame['self_dur'])) AS host_self,
  sum(frame['total_work']) AS device_total,
  sum(frame['self_work']) AS device_self
FROM framed
WHERE NOT is_launch
GROUP BY run, node, rank, frame['path']
ORDER BY run, node, rank, depth, name, path_id
