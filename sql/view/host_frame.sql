-- Which host calls enclose which, and how much of their time and device work is their own?
--
-- One row per operator, annotation, collective and call of a data loader. A call is inside the last one of its thread that
-- began no later, ends no earlier and still runs (window function `call_frame`). `host_self` is the duration less the time
-- in which something directly inside ran, calls into the runtime too. The device work that these launched belongs to the
-- call right around them. Calls that overlap only in part lie beside each other.
--
-- Left out: Python functions, modules and step marks, as if they were not there.
--
-- column  run           text     id     run the call belongs to
-- column  node          text     id     machine
-- column  rank          bigint   id     global rank of the process; null when unknown
-- column  span          bigint   id     recording of the process within the run, from 0
-- column  pid           bigint   id     operating system process id
-- column  tid           bigint   id     thread id
-- column  category      text     name   operator, annotation, communication or loader
-- column  name          text     name   name of the call
-- column  ts            bigint   time   start
-- column  dur           bigint   ns     duration
-- column  path          bigint   id     stands for the names from the outermost call to this one, in any run
-- column  parent        bigint   id     `path` of the enclosing call; null for the outermost
-- column  depth         bigint   count  enclosing calls
-- column  outermost     boolean  flag   false when a call of the same name encloses it
-- column  host_self     bigint   ns     duration less what is directly inside
-- column  device_self   bigint   ns     device work launched by it, not by calls inside
-- column  device_total  bigint   ns     device work launched by it and everything inside
-- column  args          text     json   everything else the profiler wrote on it
-- column  object        bigint   id     file the row came from
-- column  row           bigint   id     ordinal of the row in that file
--
-- needs   host_call
-- order   run, ts, object, row
-- source  kineto, nsys

WITH framed AS (
  SELECT
    run,
    node,
    rank,
    span,
    pid,
    tid,
    category,
    name,
    ts,
    dur,
    args,
    object,
    row,
    is_launch,
    call_frame(CASE WHEN NOT is_launch THEN coalesce(name, '') END, ts, dur, work) OVER (
      PARTITION BY run, node, rank, span, pid, tid ORDER BY ts, dur DESC, is_launch, object, row
    ) AS frame
  FROM host_call
  WHERE category IN ('operator', 'annotation', 'communication', 'loader', 'runtime', 'driver')
)

SELECT
  run,
  node,
  rank,
  span,
  pid,
  tid,
  category,
  name,
  ts,
  dur,
  frame['path'] AS path,
  frame['parent'] AS parent,
  frame['depth'] AS depth,
  frame['outermost'] AS outermost,
  frame['self_dur'] AS host_self,
  frame['self_work'] AS device_self,
  frame['total_work'] AS device_total,
  args,
  object,
  row
FROM framed
WHERE NOT is_launch
ORDER BY run, ts, object, row
