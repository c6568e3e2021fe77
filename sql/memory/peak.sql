-- What was the peak memory of each device, and when was it reached?
--
-- One row per recording of a process and device with events of an allocator. `peak_bytes` is the maximum number of bytes in use after an
-- event of the allocator. `ts` is the first time at which it was reached. `reserved_bytes` is the maximum that the allocator held. The
-- three are null in recordings that have only the size of each event (torch before 1.10). In these, only `increase_bytes` is known, the
-- maximum increase since the first event. The memory in use before the first event is unknown.
--
-- empty   there are no events of an allocator; record the trace with profile_memory=True
--
-- column  run             text    id     name of the run
-- column  node            text    id     machine
-- column  rank            bigint  id     global rank of the process; null when unknown
-- column  span            bigint  id     recording of the process within the run, from 0
-- column  device          text    name   device of the memory (cpu, gpu0)
-- column  n               bigint  count  events of the allocator
-- column  ts              bigint  time   when the peak was reached first
-- column  peak_bytes      bigint  bytes  most bytes in use
-- column  reserved_bytes  bigint  bytes  most bytes held by the allocator
-- column  increase_bytes  bigint  bytes  maximum increase of the bytes in use since the first event
-- column  device_bytes    bigint  bytes  memory of the device
-- column  peak_ratio      double  ratio  `peak_bytes` over `device_bytes`
--
-- needs   allocation, device
-- order   run, node, rank, span, device
-- source  kineto, nsys

WITH passed AS (
  SELECT
    *,
    sum(bytes) OVER (
      PARTITION BY run, object, span, device ORDER BY ts, row ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS increase_bytes,
    max(allocated_bytes) OVER (PARTITION BY run, object, span, device) AS peak_bytes
  FROM allocation
),

summed AS (
  SELECT
    run,
    node,
    rank,
    span,
    object,
    device,
    count(*) AS n,
    min(ts) FILTER (WHERE allocated_bytes = peak_bytes) AS ts,
    max(peak_bytes) AS peak_bytes,
    max(reserved_bytes) AS reserved_bytes,
    greatest(max(increase_bytes), 0) AS increase_bytes
  FROM passed
  GROUP BY run, node, rank, span, object, device
),

devices AS (
  SELECT run, object, device, max(memory_bytes) AS device_bytes
  FROM device
  GROUP BY run, object, device
)

SELECT
  s.* EXCLUDE (object),
  d.device_bytes,
  CAST(s.peak_bytes AS double) / nullif(d.device_bytes, 0) AS peak_ratio
FROM summed AS s
LEFT JOIN devices AS d ON d.run = s.run AND d.object = s.object AND d.device = s.device
ORDER BY run, node, rank, span, device
