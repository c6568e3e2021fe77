-- How did the length of the queue of each stream change over a recording?
--
-- The time from the first launch to the last start of device work in a recording is divided into at most `bins` bins of equal length. The
-- bins are the same for all processes and streams of a run. A change belongs to the bin in which it happens. `length_min` and `length_max`
-- are the minimum and maximum length of the queue in the bin. `length_last` is the length at its end. There are never more than two bins
-- for each work item of one stream. `kernel.queue_length` defines a launch.
--
-- With `start` or `end`, the bins divide that window, as far as it lies within this time. The first bin also has the length from before the
-- window.
--
-- Excluded: bins without a change of the stream, in which the length stays the same.
--
-- empty   no launch of device work was recorded, or the window is outside the recording; record a trace with ProfilerActivity.CPU and the activity of the device (CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- param   bins   bigint in 1.. = 200    maximum number of bins
-- param   start  bigint in time = null  start of the window, in ns, like `ts`; null for the first launch
-- param   end    bigint in time = null  end of the window, in ns, like `ts`; null for the last start of work
--
-- column  run          text    id     name of the run
-- column  node         text    id     machine
-- column  rank         bigint  id     global rank of the process; null when unknown
-- column  span         bigint  id     recording of the process within the run, from 0
-- column  device       text    name   device (gpu0)
-- column  stream       bigint  id     stream of the device
-- column  ts           bigint  time   start of the bin
-- column  dur          bigint  ns     length of the bin
-- column  n            bigint  count  changes in it
-- column  length_min   bigint  count  minimum launches in the queue
-- column  length_max   bigint  count  maximum length of the queue
-- column  length_last  bigint  count  launches in the queue after the last change of the bin, and so until the next bin
--
-- needs   device_launch, launch_queue
-- order   run, node, rank, span, device, stream, ts
-- source  kineto, nsys

WITH series AS (
  SELECT
    run,
    coalesce(span, 0) AS recording,
    object,
    device,
    stream,
    min(launch_ts) AS first_ts,
    max(greatest(ts, launch_ts)) AS last_ts,
    2 * count(*) AS n
  FROM device_launch
  WHERE launch_ts IS NOT NULL
  GROUP BY run, coalesce(span, 0), object, device, stream
),

extent AS (
  SELECT
    run,
    recording,
    greatest(min(first_ts), $start) AS first_ts,
    least($bins, max(n)) AS bins,
    greatest((least(max(last_ts), $end) - greatest(min(first_ts), $start)) / least($bins, max(n)), 1) AS width
  FROM series
  GROUP BY run, recording
  HAVING (max(last_ts) >= $start OR $start IS NULL) AND (min(first_ts) < $end OR $end IS NULL)
),

placed AS (
  SELECT
    q.*,
    e.first_ts + greatest(least((q.ts - e.first_ts) / e.width, e.bins - 1), 0) * e.width AS bin_ts,
    q.ts >= e.first_ts AS inside,
    e.width
  FROM extent AS e
  JOIN launch_queue AS q ON q.run = e.run AND coalesce(q.span, 0) = e.recording
  WHERE q.ts < $end OR $end IS NULL
)

SELECT
  run,
  node,
  rank,
  span,
  device,
  stream,
  bin_ts AS ts,
  width AS dur,
  count(*) FILTER (WHERE inside) AS n,
  coalesce(
    min(least(length, length - delta)) FILTER (WHERE inside),
    last_value(length ORDER BY ts, delta DESC, row)
  ) AS length_min,
  coalesce(
    max(greatest(length, length - delta)) FILTER (WHERE inside),
    last_value(length ORDER BY ts, delta DESC, row)
  ) AS length_max,
  last_value(length ORDER BY ts, delta DESC, row) AS length_last
FROM placed
GROUP BY run, node, rank, span, object, device, stream, bin_ts, width
ORDER BY run, node, rank, span, device, stream, ts
