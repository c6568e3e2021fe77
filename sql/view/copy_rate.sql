-- How fast were memory copies and fills running, and when did that change?
--
-- Two rows per copy or fill: its bandwidth is added at its start and taken away at its end. `name` is the direction
-- (`Memcpy HtoD`, `Memcpy DtoH`, `Memcpy DtoD`, `Memcpy PtoP`, ...; `Memcpy Unknown` where it is not told) or `Memset`.
-- `bytes_per_s` is the sum over all that run on the device in that direction, from `ts` on for `dur`. The bandwidth of a copy is the
-- one that the profiler wrote (GB of 10^9 bytes), else its bytes over its duration. A copy of no duration, shorter than the clock
-- can tell, counts as one microsecond long. Of what happens at one time, ends come first.
--
-- Left out: copies of which neither bandwidth nor size is on record.
--
-- column  run                 text    id           run the copies belong to
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
-- column  object              bigint  id           file the row came from
-- column  row                 bigint  id           ordinal of the row in that file
--
-- needs   device_work
-- order   run, node, rank, span, device, name, ts, change_bytes_per_s, row
-- source  kineto, nsys

WITH told AS (
  SELECT
    run,
    node,
    rank,
    span,
    object,
    device,
    CASE
      WHEN category = 'memset' THEN 'Memset'
      WHEN starts_with(name, 'Memcpy ') THEN substr(name, 1, 11)
      ELSE coalesce('Memcpy ' || nullif(extract_arg(args, 'kind'), 'UNKNOWN'), 'Memcpy Unknown')
    END AS name,
    ts,
    CASE dur WHEN 0 THEN 1000 ELSE dur END AS dur,
    try_cast(extract_arg(args, 'bytes') AS bigint) AS bytes,
    try_cast(extract_arg(args, 'memory bandwidth (GB/s)') AS double) AS recorded,
    row
  FROM device_work
  WHERE category IN ('memcpy', 'memset')
),

-- Whole bytes a second: their sum leaves nothing behind when all copies have ended.
rated AS (
  SELECT *, TRY_CAST(round(coalesce(recorded, CAST(bytes AS double) / dur) * 1000000000) AS bigint) AS rate
  FROM told
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
  -- In full: the engine takes no partition from a named window to which a frame is added.
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
