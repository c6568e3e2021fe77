-- Which call of the host launched which work on a device?
--
-- One row per kernel, copy and fill of `device_work`, with the call into the runtime or driver that has its correlation in the same file.
-- If several calls have that correlation, such as a driver call inside a runtime call, their time is that from the first start to the last
-- end. Columns `launch_*` are null if the recording has no such call. One call may launch several kernels or copies: a graph, or work on
-- several devices.
--
-- column  run          text    id    name of the run
-- column  node         text    id    machine
-- column  rank         bigint  id    global rank of the process; null when unknown
-- column  span         bigint  id    recording of the process within the run, from 0
-- column  device       text    name  device (gpu0)
-- column  stream       bigint  id    stream of the device
-- column  category     text    name  kernel, memcpy or memset
-- column  type         text    name  computation, communication or memory (copies and fills)
-- column  name         text    name  name of the kernel or copy
-- column  ts           bigint  time  start on the device
-- column  dur          bigint  ns    duration on the device
-- column  correlation  bigint  id    ties a call to the work that it launched
-- column  launch_name  text    name  name of the call
-- column  launch_ts    bigint  time  start of the call that launched it
-- column  launch_dur   bigint  ns    duration of the call
-- column  launch_row   bigint  id    ordinal of the call's row in the file
-- column  object       bigint  id    file of the row, see table object
-- column  row          bigint  id    ordinal of the row in its file
--
-- needs   device_work, event
-- order   run, ts, object, row
-- source  kineto, nsys

WITH calls AS (
  SELECT
    run,
    object,
    correlation,
    max(name) AS name,
    min(ts) AS ts,
    max(ts + dur) - min(ts) AS dur,
    min(row) AS row
  FROM event
  WHERE category IN ('runtime', 'driver') AND correlation IS NOT NULL AND ts IS NOT NULL AND dur >= 0
  GROUP BY run, object, correlation
)

SELECT
  w.* EXCLUDE (external_id, tensor_core, args),
  c.name AS launch_name,
  c.ts AS launch_ts,
  c.dur AS launch_dur,
  c.row AS launch_row
FROM device_work AS w
LEFT JOIN calls AS c ON c.run = w.run AND c.object = w.object AND c.correlation = w.correlation
ORDER BY w.run, w.ts, w.object, w.row
