-- How fast did copies and fills move memory over a recording?
--
-- The time from the start of the first copy to the end of the last one in a recording is divided into at most `bins` bins of equal length.
-- The bins are the same for all processes, devices and directions of a run. A change belongs to the bin in which it happens.
-- `max_bytes_per_s` is the maximum bandwidth in the bin. `last_bytes_per_s` is the bandwidth at its end, which lasts until the next bin.
-- `copied_bytes` is the size of the copies that began in it. There are never more bins than changes in one direction. `memory.bandwidth`
-- defines the directions and the bandwidth.
--
-- With `start` or `end`, the bins divide that window, as far as it lies within this time. The first bin also has the bandwidth from before
-- the window.
--
-- Excluded: bins without a change, in which the bandwidth stays the same.
--
-- empty   no copy or fill with a bandwidth or a size was recorded, or the window is outside the recording; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- param   bins   bigint in 1.. = 200    maximum number of bins
-- param   start  bigint in time = null  start of the window, in ns, like `ts`; null for the first copy
-- param   end    bigint in time = null  end of the window, in ns, like `ts`; null for the last copy
--
-- column  run               text    id           name of the run
-- column  node              text    id           machine
-- column  rank              bigint  id           global rank of the process; null when unknown
-- column  span              bigint  id           recording of the process within the run, from 0
-- column  device            text    name         device (gpu0)
-- column  name              text    name         direction of the copies, or Memset
-- column  ts                bigint  time         start of the bin
-- column  dur               bigint  ns           length of the bin
-- column  n                 bigint  count        copies that began in it
-- column  copied_bytes      bigint  bytes        sum of the sizes; null where none is on record
-- column  max_bytes_per_s   double  bytes_per_s  maximum bandwidth
-- column  last_bytes_per_s  double  bytes_per_s  bandwidth after the last change of the bin
--
-- needs   copy_rate
-- order   run, node, rank, span, device, name, ts
-- source  kineto, nsys

WITH series AS (
  SELECT run, coalesce(span, 0) AS recording, object, device, name, min(ts) AS first_ts, max(ts) AS last_ts, count(*) AS n
  FROM copy_rate
  GROUP BY run, coalesce(span, 0), object, device, name
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
    c.*,
    e.first_ts + greatest(least((c.ts - e.first_ts) / e.width, e.bins - 1), 0) * e.width AS bin_ts,
    c.ts >= e.first_ts AS inside,
    e.width
  FROM extent AS e
  JOIN copy_rate AS c ON c.run = e.run AND coalesce(c.span, 0) = e.recording
  WHERE c.ts < $end OR $end IS NULL
)

SELECT
  run,
  node,
  rank,
  span,
  device,
  name,
  bin_ts AS ts,
  width AS dur,
  count(*) FILTER (WHERE change_bytes_per_s >= 0 AND inside) AS n,
  sum(copy_bytes) FILTER (WHERE inside) AS copied_bytes,
  coalesce(
    max(greatest(bytes_per_s, bytes_per_s - change_bytes_per_s)) FILTER (WHERE inside),
    last_value(bytes_per_s ORDER BY ts, change_bytes_per_s, row)
  ) AS max_bytes_per_s,
  last_value(bytes_per_s ORDER BY ts, change_bytes_per_s, row) AS last_bytes_per_s
FROM placed
GROUP BY run, node, rank, span, object, device, name, bin_ts, width
ORDER BY run, node, rank, span, device, name, ts
