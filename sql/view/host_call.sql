-- What did the host do, and how much device work did each call launch?
--
-- One row per operator, annotation, collective, call of a data loader, Python function, module and call into a device's runtime or driver
-- on the host. `work` is the sum of the durations of the kernels, copies and fills that a call launched, found by the correlation that the
-- profiler wrote. It is device time, like CPU time: kernels that run concurrently each count in full.
--
-- Excluded: step marks; intervals without a time or with a duration below 0; device work above seven days, which comes from clocks that
-- overflowed.
--
-- column  run          text     id    name of the run
-- column  node         text     id    machine
-- column  rank         bigint   id    global rank of the process; null when unknown
-- column  span         bigint   id    recording of the process within the run, from 0
-- column  pid          bigint   id    operating system process id
-- column  tid          bigint   id    thread id
-- column  category     text     name  what sort of call it is
-- column  name         text     name  name of the call
-- column  ts           bigint   time  start
-- column  dur          bigint   ns    duration
-- column  work         bigint   ns    durations of the device work that it launched, added up
-- column  is_launch    boolean  flag  whether it is a call into runtime or driver
-- column  call_path    bigint   id    row in `call_path`: the path of a call, or that of the innermost call around a launch or an allocation
-- column  python_path  bigint   id    row in `call_path` of the innermost Python function or module around the event on its thread
-- column  overlap_dur  bigint   ns    part of `dur` that an earlier call directly inside the same call covers, too; null when there is none
-- column  args         text     json  everything else the profiler wrote on it
-- column  object       bigint   id    file of the row, see table object
-- column  row          bigint   id    ordinal of the row in its file
--
-- needs   event, timed_event
-- order   run, ts, object, row
-- source  kineto, nsys

WITH launched AS (
  SELECT run, object, correlation, sum(dur) AS work
  FROM timed_event
  WHERE category IN ('kernel', 'memcpy', 'memset') AND correlation IS NOT NULL
  GROUP BY run, object, correlation
)

SELECT
  e.run,
  e.node,
  e.rank,
  e.span,
  e.pid,
  e.tid,
  e.category,
  e.name,
  e.ts,
  e.dur,
  coalesce(l.work, 0) AS work,
  e.category IN ('runtime', 'driver') AS is_launch,
  e.call_path,
  e.python_path,
  e.overlap_dur,
  e.args,
  e.object,
  e.row
-- The smaller input is on the left, so that the join builds its hash table from it.
FROM launched AS l
RIGHT JOIN event AS e
  ON l.run = e.run
    AND l.object = e.object
    AND l.correlation = CASE WHEN e.category IN ('runtime', 'driver') THEN e.correlation END
WHERE
  e.category IN (
    'operator', 'annotation', 'communication', 'loader', 'python', 'module', 'runtime', 'driver'
  )
  AND coalesce(e.device, 'cpu') = 'cpu'
  AND e.ts IS NOT NULL
  AND e.dur >= 0
ORDER BY e.run, e.ts, e.object, e.row
