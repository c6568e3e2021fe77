-- Which host calls enclose which, and how much of their time and device work is their own?
--
-- One row per operator, annotation, collective and call of a data loader. The parent of a call is the last call of its thread that began no
-- later, ends no earlier and still runs (window function `call_frame`). `host_self` is the duration without the time in which a call
-- directly inside ran, including calls into the runtime. The device work that these runtime calls launched belongs to the call directly
-- around them. Calls that overlap only partly do not enclose each other.
--
-- Excluded: Python functions, modules and step marks. They do not affect the nesting of the other calls.
--
-- column  run           text     id     name of the run
-- column  node          text     id     machine
-- column  rank          bigint   id     global rank of the process; null when unknown
-- column  span          bigint   id     recording of the process within the run, from 0
-- column  pid           bigint   id     operating system process id
-- column  tid           bigint   id     thread id
-- column  category      text     name   operator, annotation, communication or loader
-- column  name          text     name   name of the call
-- column  ts            bigint   time   start
-- column  dur           bigint   ns     duration
-- column  path_id       bigint   id     identifies the path of names from the outermost to this one, in any run
-- column  parent_id     bigint   id     `path_id` of the enclosing row; null for the outermost
-- column  depth         bigint   count  rows that enclose it
-- column  outermost     boolean  flag   false when a call of the same name encloses it
-- column  host_self     bigint   ns     time in it and in nothing inside
-- column  device_self   bigint   ns     device work that it launched itself, not in rows inside
-- column  device_total  bigint   ns     device work launched in it and everything inside
-- column  args          text     json   everything else the profiler wrote on it
-- column  object        bigint   id     file of the row, see table object
-- column  row           bigint   id     ordinal of the row in its file
--
-- needs   host_call
-- order   run, ts, object, row
-- source  kineto, nsys

WITH framed AS (
  SELECT
    *,
    call_frame(CASE WHEN NOT is_launch THEN coalesce(name, '') END, ts, dur, work) OVER (
      PARTITION BY run, node, rank, span, pid, tid ORDER BY ts, dur DESC, is_launch, object, row
    ) AS frame
  FROM host_call
  WHERE category IN ('operator', 'annotation', 'communication', 'loader', 'runtime', 'driver')
)

SELECT
  * EXCLUDE (work, is_launch, call_path, python_path, overlap_dur, frame),
  frame['path'] AS path_id,
  frame['parent'] AS parent_id,
  frame['depth'] AS depth,
  frame['outermost'] AS outermost,
  frame['self_dur'] AS host_self,
  frame['self_work'] AS device_self,
  frame['total_work'] AS device_total
FROM framed
WHERE NOT is_launch
ORDER BY run, ts, object, row
