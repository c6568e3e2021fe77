-- Which operator, module and Python function launched which work on a device?
--
-- One row per kernel, copy and fill of `device_launch` with a recorded launch. `operator` is the innermost operator or collective around
-- the launch on its thread, `module` the innermost module, and `function` the innermost Python function or module. `call_path` and
-- `python_path` are the rows of their paths in table `call_path`, so that the calls around them are known, too. They are null if nothing
-- was recorded around the launch.
--
-- column  run           text    id    name of the run
-- column  node          text    id    machine
-- column  rank          bigint  id    global rank of the process; null when unknown
-- column  span          bigint  id    recording of the process within the run, from 0
-- column  device        text    name  device it ran on (cpu, gpu0, ...)
-- column  stream        bigint  id    device stream
-- column  category      text    name  kernel, memcpy or memset
-- column  name          text    name  name of the event
-- column  ts            bigint  time  start
-- column  dur           bigint  ns    duration
-- column  launch_row    bigint  id    row of the call that launched it, in the same file
-- column  operator      text    name  name of the operator; the innermost operator or collective around the launch
-- column  module        text    name  innermost module around the launch
-- column  function      text    name  innermost Python function or module around the launch
-- column  call_path     bigint  id    row in `call_path` of the innermost call around the launch
-- column  python_path   bigint  id    row in `call_path` of the innermost Python function or module around the launch
-- column  object        bigint  id    file of the row, see table object
-- column  row           bigint  id    ordinal of the row in its file
--
-- needs   call_path, device_launch, event
-- order   run, ts, object, row
-- source  kineto, nsys

WITH launches AS (
  SELECT e.run, e.object, e.row, e.call_path, e.python_path, c.operator, p.module, p.name AS function
  FROM event AS e
  LEFT JOIN call_path AS c ON c.run = e.run AND c.object = e.object AND c.row = e.call_path
  LEFT JOIN call_path AS p ON p.run = e.run AND p.object = e.object AND p.row = e.python_path
  WHERE e.category IN ('runtime', 'driver')
)

SELECT
  d.run,
  d.node,
  d.rank,
  d.span,
  d.device,
  d.stream,
  d.category,
  d.name,
  d.ts,
  d.dur,
  d.launch_row,
  l.operator,
  l.module,
  l.function,
  l.call_path,
  l.python_path,
  d.object,
  d.row
FROM device_launch AS d
JOIN launches AS l ON l.run = d.run AND l.object = d.object AND l.row = d.launch_row
ORDER BY d.run, d.ts, d.object, d.row
