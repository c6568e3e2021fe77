-- How did the memory in use change over a run?
--
-- The time from the first to the last event of an allocator in a recording is divided into at most `bins` bins of equal length. The bins
-- are the same for all processes and devices of a run. An event belongs to the bin in which it lies. `min_bytes` and `max_bytes` are the
-- minimum and maximum number of bytes in use after an event of the bin, so that no peak is lost. `reserved_bytes` is the maximum that the
-- allocator held. These and `last_bytes` are null in recordings that have only the size of each event (torch before 1.10). `increase_bytes`
-- is the allocated memory minus the freed memory from the first event of the recording to the end of the bin. There are never more bins
-- than events of one device.
--
-- With `start` or `end`, the bins divide that window, as far as it lies within this time. The first bin also has the values from before the
-- window.
--
-- Excluded: bins without events, in which nothing changed.
--
-- empty   there are no events of an allocator, or the window is outside the recording; record the trace with profile_memory=True
--
-- param   bins   bigint in 1.. = 200    maximum number of bins
-- param   start  bigint in time = null  start of the window, in ns, like `ts`; null for the first event
-- param   end    bigint in time = null  end of the window, in ns, like `ts`; null for the last event
--
-- column  run             text    id     name of the run
-- column  node            text    id     machine
-- column  rank            bigint  id     global rank of the process; null when unknown
-- column  span            bigint  id     recording of the process within the run, from 0
-- column  device          text    name   device of the memory (cpu, gpu0)
-- column  ts              bigint  time   start of the bin
-- column  dur             bigint  ns     length of the bin
-- column  n               bigint  count  events in it
-- column  min_bytes       bigint  bytes  minimum bytes in use
-- column  max_bytes       bigint  bytes  most bytes in use
-- column  reserved_bytes  bigint  bytes  most bytes held by the allocator
-- column  increase_bytes  bigint  bytes  bytes allocated less bytes freed from the first event to the end of the bin
-- column  last_bytes      bigint  bytes  bytes in use after the last event of the bin, and so until the next bin
--
-- needs   allocation
-- order   run, node, rank, span, device, ts
-- source  kineto, nsys

WITH series AS (
  SELECT run, coalesce(span, 0) AS recording, object, device, min(ts) AS first_ts, max(ts) AS last_ts, count(*) AS n
  FROM allocation
  WHERE ts IS NOT NULL
  GROUP BY run, coalesce(span, 0), object, device
),

extent AS (
  SELECT
    run,
    recording,
    greatest(min(first_ts), $start) AS first_ts,
    greatest(least($bins, max(n)), 1) AS bins,
    greatest(
      (least(max(last_ts), $end) - greatest(min(first_ts), $start)) / greatest(least($bins, max(n)), 1), 1
    ) AS width
  FROM series
  GROUP BY run, recording
  HAVING (max(last_ts) >= $start OR $start IS NULL) AND (min(first_ts) < $end OR $end IS NULL)
),

placed AS (
  SELECT
    a.* EXCLUDE (ts),
    e.first_ts + greatest(least((a.ts - e.first_ts) / e.width, e.bins - 1), 0) * e.width AS ts,
    a.ts >= e.first_ts AS inside,
    e.width AS dur,
    a.ts AS event_ts
  FROM allocation AS a
  JOIN extent AS e ON e.run = a.run AND e.recording = coalesce(a.span, 0)
  WHERE a.ts IS NOT NULL AND (a.ts < $end OR $end IS NULL)
)

SELECT
  run,
  node,
  rank,
  span,
  device,
  ts,
  dur,
  count(*) FILTER (WHERE inside) AS n,
  coalesce(min(allocated_bytes) FILTER (WHERE inside), last_value(allocated_bytes ORDER BY event_ts, row)) AS min_bytes,
  coalesce(max(allocated_bytes) FILTER (WHERE inside), last_value(allocated_bytes ORDER BY event_ts, row)) AS max_bytes,
  coalesce(max(reserved_bytes) FILTER (WHERE inside), last_value(reserved_bytes ORDER BY event_ts, row)) AS reserved_bytes,
  last_value(allocated_bytes ORDER BY event_ts, row) AS last_bytes,
  sum(sum(bytes)) OVER (
    PARTITION BY run, object, span, device ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS increase_bytes
FROM placed
GROUP BY run, node, rank, span, object, device, ts, dur
ORDER BY run, node, rank, span, device, ts
