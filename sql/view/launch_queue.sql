-- How many launches waited for each stream of a device, and when did that change?
--
-- Two rows per launch and stream: the call of the host puts it into the queue of the stream (`change` 1), the start of its work
-- takes it out (`change` -1). `length` is the number of launches in the queue from `ts` on, for `dur`. A call that launches
-- several pieces of work onto a stream, as a graph does, is one launch, which ends its wait with the first of them. Where the
-- clocks put a start before its call, it counts at the time of the call. Of what happens at one time, calls come first.
--
-- Left out: work without a launch on record.
--
-- column  run     text    id     run the stream belongs to
-- column  node    text    id     machine
-- column  rank    bigint  id     global rank of the process; null when unknown
-- column  span    bigint  id     recording of the process within the run, from 0
-- column  device  text    name   device (gpu0)
-- column  stream  bigint  id     stream of the device
-- column  ts      bigint  time   when the length changed
-- column  dur     bigint  ns     from there to the next change; null for the last one
-- column  change  bigint  count  1 for a launch, -1 for the start of its work
-- column  length  bigint  count  launches in the queue afterwards
-- column  object  bigint  id     file the call's row came from
-- column  row     bigint  id     ordinal of the call's row in that file
--
-- needs   device_launch
-- order   run, node, rank, span, device, stream, ts, change desc, row
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
  SELECT l.*, m.change, CASE m.change WHEN 1 THEN l.launch_ts ELSE l.start_ts END AS ts
  FROM launches AS l
  CROSS JOIN (VALUES (1), (-1)) AS m (change)
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
  change,
  -- In full: the engine takes no partition from a named window to which a frame is added.
  sum(change) OVER (
    PARTITION BY run, object, span, device, stream
    ORDER BY ts, change DESC, row
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS length,
  object,
  row
FROM changes
WINDOW queue AS (PARTITION BY run, object, span, device, stream ORDER BY ts, change DESC, row)
ORDER BY run, node, rank, span, device, stream, ts, change DESC, row
