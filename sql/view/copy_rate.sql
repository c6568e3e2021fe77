-- How fast were memory copies and fills running, and when did the rate change?
--
-- Two rows per copy or fill: its bandwidth is added at its start and subtracted at its end. `name` is the direction (`Memcpy HtoD`,
-- `Memcpy DtoH`, `Memcpy DtoD`, `Memcpy PtoP`, ...; `Memcpy Unknown` if it is not recorded) or `Memset`. `bytes_per_s` is the sum over all
-- copies that run on the device in that direction, from `ts` on for `dur`.
--
-- The bandwidth of a copy is the one that the profiler wrote (GB of 10^9 bytes), else its bytes divided by its duration. A copy with
-- duration 0 is shorter than the resolution of the clock and counts as one microsecond long. At equal times, ends come before starts.
--
-- Excluded: copies with neither a recorded bandwidth nor a recorded size.
--
-- column  run                 text    id           name of the run
-- column  node                text    id           machine
-- column  rank                bigint  id           global rank of the process; null when unknown
-- column  span                bigint  id           recording of the process within the run, from 0
-- column  device              text    name         device (gpu0)
-- column  name                text    name         direction of the copies, or Memset
-- column  ts                  bigint  time         when the bandwidth changed
-- column  dur                 bigint  ns           from there to the next change; null for the last one
-- column  change_bytes_per_s  double  bytes_per_s  bandwidth of the copy that began, less than 0 for one that ended
-- column  bytes_per_s         double  bytes_per_s  bandwidth of all afterwards
-- column  copy_bytes          bigint  bytes        size of the copy that began; null at its end and where it is unknown
-- column  object              bigint  id           file of the row, see table object
-- column  row                 bigint  id           ordinal of the row in its file
--
-- needs   device_work
-- order   run, node, rank, span, device, name, ts, change_bytes_per_s, row
-- source  kineto, nsys

WITH copies AS (
  SELECT
    * EXCLUDE (name, dur),
    CASE
      WHEN category = 'memset' THEN 'Memset'
      WHEN starts_with(name, 'Memcpy ') THEN substr(name, 1, 11)
      ELSE coalesce('Memcpy ' || nullif(extract_arg(args, 'kind'), 'UNKNOWN'), 'Memcpy Unknown')
    END AS name,
    CASE dur WHEN 0 THEN 1000 ELSE dur END AS dur,
    try_cast(extract_arg(args, 'bytes') AS bigint) AS bytes,
    try_cast(extract_arg(args, 'memory bandwidth (GB/s)') AS double) AS recorded
  FROM device_work
  WHERE category IN ('memcpy', 'memset')
),

-- Whole bytes per second: integers add up to exactly 0 when all copies have ended.
rated AS (
  SELECT *, TRY_CAST(round(coalesce(recorded, CAST(bytes AS double) / dur) * 1000000000) AS bigint) AS rate
  FROM copies
),

changes AS (
  SELECT
    r.*,
    CASE m.side WHEN 1 THEN r.ts ELSE r.ts + r.dur END AS at,
    m.side * r.rate AS change,
    CASE m.side WHEN 1 THEN r.bytes END AS copy_bytes
  FROM rated AS r
  CROSS JOIN (VALUES (1), (-1)) AS m (side)
  WHERE r.rate >= 0
)

SELECT
  run,
  node,
  rank,
  span,
  device,
  name,
  at AS ts,
  lead(at) OVER passed - at AS dur,
  CAST(change AS double) AS change_bytes_per_s,
  -- The window is written in full: the engine ignores the partition of a named window if a frame is added to it.
  CAST(
    sum(change) OVER (
      PARTITION BY run, object, span, device, name
      ORDER BY at, change, row
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS double
  ) AS bytes_per_s,
  copy_bytes,
  object,
  row
FROM changes
WINDOW passed AS (PARTITION BY run, object, span, device, name ORDER BY at, change, row)
ORDER BY run, node, rank, span, device, name, ts, change_bytes_per_s, row
