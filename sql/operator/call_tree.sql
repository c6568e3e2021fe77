-- Which calls led to which, and where in that tree did the time of host and device go?
--
-- One row per chain of names on a process rank: all calls that the same calls enclose are one node, whatever their thread and
-- step. Nodes are operators, annotations, collectives and calls of a data loader, with `python` also Python functions
-- and modules. A call is inside the last one of its thread that began no later, ends no earlier and still runs. `id`
-- stands for the chain of names: the same chain has the same `id` in every run.
--
-- `host_self` is the time in which nothing ran directly inside. `device_self` is the device work that the calls launched
-- themselves, `device_total` that of everything inside as well; what ran side by side on a device counts for each. Over
-- the children of a node, `host_total` adds up to no more than that of the node, unless they overlap in part.
--
-- Left out: step marks, which would cut the tree into steps.
--
-- empty   there are no operators: traces of the PyTorch profiler have them, recorded with ProfilerActivity.CPU, and exports of Nsight Systems with emit_nvtx of PyTorch
--
-- param   python        boolean = false   whether Python functions and modules are nodes
--
-- column  run           text    id     run the calls belong to
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  id            bigint  id     stands for the names from the outermost call to this one
-- column  parent        bigint  id     `id` of the enclosing node; null for the outermost
-- column  depth         bigint  count  enclosing nodes
-- column  category      text    name   operator, annotation, communication, loader, python or module
-- column  name          text    name   name of the call
-- column  n             bigint  count  calls
-- column  host_total    bigint  ns     time in calls, thread by thread
-- column  host_self     bigint  ns     the part of it in which nothing ran inside
-- column  device_total  bigint  ns     device work launched in it
-- column  device_self   bigint  ns     device work that it launched itself
--
-- needs   host_call
-- order   run, node, rank, depth, name, id
-- source  kineto, nsys

WITH framed AS (
  SELECT
    run,
    node,
    rank,
    category,
    name,
    dur,
    is_launch,
    call_frame(CASE WHEN NOT is_launch THEN coalesce(name, '') END, ts, dur, work) OVER (
      PARTITION BY run, node, rank, span, pid, tid ORDER BY ts, dur DESC, is_launch, object, row
    ) AS frame
  FROM host_call
  WHERE category NOT IN ('python', 'module') OR $python
),

placed AS (
  SELECT
    run,
    node,
    rank,
    category,
    name,
    dur,
    frame['path'] AS id,
    frame['parent'] AS parent,
    frame['depth'] AS depth,
    frame['self_dur'] AS host_self,
    frame['total_work'] AS device_total,
    frame['self_work'] AS device_self
  FROM framed
  WHERE NOT is_launch
)

SELECT
  run,
  node,
  rank,
  id,
  min(parent) AS parent,
  min(depth) AS depth,
  min(category) AS category,
  min(name) AS name,
  count(*) AS n,
  sum(dur) AS host_total,
  sum(host_self) AS host_self,
  sum(device_total) AS device_total,
  sum(device_self) AS device_self
FROM placed
GROUP BY run, node, rank, id
ORDER BY run, node, rank, depth, name, id
