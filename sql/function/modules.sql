-- Which modules of the model took how much time, on the host and on the device?
--
-- One row per chain of modules on a process rank, from the traces that record them (`with_modules=True` and `with_stack=True` of
-- the PyTorch profiler). `id` stands for the chain of names and is the same in every run. `host_self` leaves out what
-- ran inside: other modules, operators, calls into the runtime. `device_self` is the device work launched inside this module
-- and no other, `device_total` that of the modules inside as well; what ran side by side on a device counts for each.
--
-- The backward pass runs on another thread, which no module encloses: its time is in `operator.call_tree`.
--
-- empty   there are no modules: a trace has them if it was recorded with with_stack=True and with_modules=True
--
-- column  run           text    id     run the modules belong to
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  id            bigint  id     stands for the modules from the outermost to this one
-- column  parent        bigint  id     `id` of the enclosing module; null for the outermost
-- column  depth         bigint  count  enclosing modules
-- column  module        text    name   class and number of the module
-- column  n             bigint  count  calls
-- column  host_total    bigint  ns     time in calls, thread by thread
-- column  host_self     bigint  ns     the part of it in which nothing ran inside
-- column  device_total  bigint  ns     device work launched in it
-- column  device_self   bigint  ns     device work launched in it, outside of modules inside
--
-- needs   host_call
-- order   run, node, rank, depth, module, id
-- source  kineto

WITH framed AS (
  SELECT
    run,
    node,
    rank,
    category,
    name,
    dur,
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
  frame['path'] AS id,
  min(frame['parent']) AS parent,
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
ORDER BY run, node, rank, depth, module, id
