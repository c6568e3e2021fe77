-- How much time did each module of the model take, on the host and on the device?
--
-- One row per chain of modules on a process rank, from traces that record modules (`with_modules=True` and `with_stack=True` of the PyTorch
-- profiler). `path_id` identifies the chain of names and is the same in every run. `host_self` excludes the calls inside: other modules,
-- operators and calls into the runtime. `device_self` is the device work launched inside this module and no other. `device_total` also has
-- the device work of the modules inside. Both add up durations, so parallel device work counts more than once.
--
-- The backward pass runs on another thread, which no module encloses. Its time is in `operator.call_tree`.
--
-- empty   there are no modules; record the trace with with_stack=True and with_modules=True
--
-- column  run           text    id     name of the run
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  path_id       bigint  id     identifies the path of names from the outermost to this one, in any run
-- column  parent_id     bigint  id     `path_id` of the enclosing row; null for the outermost
-- column  depth         bigint  count  rows that enclose it
-- column  module        text    name   class and number of the module
-- column  n             bigint  count  calls
-- column  host_total    bigint  ns     time in its calls, thread by thread
-- column  host_self     bigint  ns     time in it and in nothing inside
-- column  device_total  bigint  ns     device work launched in it and everything inside
-- column  device_self   bigint  ns     device work that it launched itself, not in rows inside
--
-- needs   host_call
-- order   run, node, rank, depth, module, path_id
-- source  kineto

WITH framed AS (
  SELECT
    *,
    call_frame(CASE WHEN category = 'module' THEN replace(name, 'nn.Module: ', '') END, ts, dur, work) OVER (
      PARTITION BY run, node, rank, span, pid, tid ORDER BY ts, dur DESC, is_launch, object, row
    ) AS frame
  FROM host_call
  WHERE category IN ('module', 'operator', 'runtime', 'driver')
)

SELECT
  run,
  node,
  rank,
  frame['path'] AS path_id,
  min(frame['parent']) AS parent_id,
  min(frame['depth']) AS depth,
  min(replace(name, 'nn.Module: ', '')) AS module,
  count(*) AS n,
  sum(dur) AS host_total,
  sum(frame['self_dur']) AS host_self,
  sum(frame['total_work']) AS device_total,
  sum(frame['self_work']) AS device_self
FROM framed
WHERE category = 'module'
GROUP BY run, node, rank, frame['path']
ORDER BY run, node, rank, depth, module, path_id
