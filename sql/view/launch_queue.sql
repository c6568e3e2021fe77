-- How many launches waited for each stream of a device, and when did that number change?
--
-- Two rows per launch and stream: the call of the host adds the launch to the queue of the stream (`delta` 1), and the start of its work
-- removes it (`delta` -1). `length` is the number of launches in the queue from `ts` on, for `dur`. A call that launches several kernels or
-- copies onto a stream, for example a graph, is one launch. It leaves the queue when the first of them starts. If the recorded start is
-- before its call, it counts at the time of the call. At equal times, calls come before starts.
--
-- Excluded: work without a recorded launch.
--
-- column  run     text    id     name of the run
-- column  node    text    id     machine
-- column  rank    bigint  id     global rank of the process; null when unknown
-- column  span    bigint  id     recording of the process within the run, from 0
-- column  device  text    name   device (gpu0)
-- column  stream  bigint  id     stream of the device
-- column  ts      bigint  time   when the length changed
-- column  dur     bigint  ns     from there to the next change; null for the last one
-- column  delta   bigint  count  1 for a launch, -1 for the start of its work
-- column  length  bigint  count  launches in the queue afterwards
-- column  object  bigint  id     file of the row, see table object
-- column  row     bigint  id     ordinal of the row in its file
--
-- needs   device_launch
-- order   run, node, rank, span, device, stream, ts, delta desc, row
-- source  kineto, nsys

WITH launches AS (
  SELECT
    run,
    node,
    rank,
    span,
    object,
    device,
    stream,
    launch_row AS row,
    min(launch_ts) AS launch_ts,
    greatest(min(ts), min(launch_ts)) AS start_ts
  FROM device_launch
  WHERE launch_ts IS NOT NULL
  GROUP BY run, node, rank, span, object, device, stream, launch_row
),

changes AS (
  SELECT l.*, m.delta, CASE m.delta WHEN 1 THEN l.launch_ts ELSE l.start_ts END AS ts
  FROM launches AS l
  CROSS JOIN (VALUES (1), (-1)) AS m (delta)
)

SELECT
  run,
  node,
  rank,
  span,
  device,
  stream,
  ts,
  lead(ts) OVER queue - ts AS dur,
  delta,
  -- The window is written in full: the engine ignores the partition of a named window if a frame is added to it.
  sum(delta) OVER (
    PARTITION BY run, object, span, device, stream
    ORDER BY ts, delta DESC, row
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS length,
  object,
  row
FROM changes
WINDOW queue AS (PARTITION BY run, object, span, device, stream ORDER BY ts, delta DESC, row)
ORDER BY run, node, rank, span, device, stream, ts, delta DESC, row
