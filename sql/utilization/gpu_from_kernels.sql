-- How busy was each device with kernels in the course of a run?
--
-- For recordings without measurements of the machine: utilisation from what ran. The time of each recording
-- (`profiled_window`) is cut into `bins` bins of equal length; `ratio` is the share of a bin in which at least one kernel ran
-- on the device. Bins in which none ran are there, with 0. Copies and fills do not count, as in the tools of the makers.
--
-- `kernel.occupancy` has the share over the whole time, and how far the kernels filled the device. A recording without kernels
-- has no rows.
--
-- param   bins    bigint = 200  number of bins of a recording
--
-- column  run     text    id     run the device belongs to
-- column  node    text    id     machine
-- column  rank    bigint  id     global rank of the process; null when unknown
-- column  span    bigint  id     recording of the process within the run, from 0
-- column  device  text    name   device (gpu0)
-- column  ts      bigint  time   start of the bin
-- column  dur     bigint  ns     length of the bin
-- column  busy    bigint  ns     time in which a kernel ran
-- column  ratio   double  ratio  `busy` over `dur`
--
-- needs   device_work, profiled_window
-- order   run, node, rank, span, device, ts
-- source  kineto

WITH windows AS (
  SELECT
    run,
    node,
    rank,
    span,
    object,
    ts,
    ts + dur AS till,
    greatest((dur + greatest($bins, 1) - 1) / greatest($bins, 1), 1) AS width
  FROM profiled_window
),

-- A kernel counts in each bin as far as it lies in it.
clipped AS (
  SELECT
    k.run,
    k.object,
    k.device,
    w.ts AS first_ts,
    w.width,
    greatest(k.ts, w.ts) AS ts,
    least(k.ts + k.dur, w.till) AS till
  FROM device_work AS k
  JOIN windows AS w ON w.run = k.run AND w.object = k.object
  WHERE k.category = 'kernel' AND k.dur > 0 AND k.ts < w.till AND k.ts + k.dur > w.ts
),

covered AS (
  SELECT *, range((ts - first_ts) / width, (till - 1 - first_ts) / width + 1) AS bins
  FROM clipped
),

parts AS (
  SELECT run, object, device, first_ts, width, ts, till, unnest(bins) AS bin
  FROM covered
),

united AS (
  SELECT
    run,
    object,
    device,
    bin,
    union_length(
      greatest(ts, first_ts + bin * width),
      least(till, first_ts + (bin + 1) * width) - greatest(ts, first_ts + bin * width)
    ) AS busy
  FROM parts
  GROUP BY run, object, device, bin
),

devices AS (
  SELECT
    d.run,
    w.node,
    w.rank,
    w.span,
    d.object,
    d.device,
    w.ts AS first_ts,
    w.till,
    w.width,
    range(0, (w.till - w.ts - 1) / w.width + 1) AS bins
  FROM (SELECT DISTINCT run, object, device FROM device_work WHERE category = 'kernel') AS d
  JOIN windows AS w ON w.run = d.run AND w.object = d.object
),

cells AS (
  SELECT run, node, rank, span, object, device, first_ts, till, width, unnest(bins) AS bin
  FROM devices
)

SELECT
  b.run,
  b.node,
  b.rank,
  b.span,
  b.device,
  b.first_ts + b.bin * b.width AS ts,
  least(b.width, b.till - b.first_ts - b.bin * b.width) AS dur,
  coalesce(u.busy, 0) AS busy,
  CAST(coalesce(u.busy, 0) AS double) / least(b.width, b.till - b.first_ts - b.bin * b.width) AS ratio
FROM cells AS b
LEFT JOIN united AS u ON u.run = b.run AND u.object = b.object AND u.device = b.device AND u.bin = b.bin
ORDER BY run, node, rank, span, device, ts
