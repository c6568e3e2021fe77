-- Which measurements of a machine were taken together?
--
-- The rows of `system_sample`, with the time of the snapshot they belong to. A profiler measures cores, accelerators and disks one after
-- the other, each with its own time, a few ms apart. A pause of more than 20 ms on a machine begins a new snapshot. So a condition such as
-- "a core was busy while a GPU was idle" compares rows of one snapshot. 20 ms is the tolerance of smdebug. Its profiler samples every 100
-- ms or less often.
--
-- Excluded: samples without a time.
--
-- column  run       text    id     name of the run
-- column  node      text    id     machine
-- column  snapshot  bigint  time   first sample of the snapshot
-- column  resource  text    name   cpu, gpu, memory, io or network
-- column  device    text    name   device measured (cpu5, gpu0); null for the whole machine
-- column  metric    text    name   name of the metric
-- column  unit      text    name   unit as recorded
-- column  ts        bigint  time   when
-- column  value     double  mixed  the value, in the unit of column unit
--
-- needs   system_sample
-- order   run, node, ts, resource, metric, device, value
-- source  sagemaker_system

-- Find pauses between time buckets, which are far fewer than samples. 2^24 ns are less than 20 ms, so no pause is inside a bucket.
WITH cells AS (
  SELECT run, node, ts >> 24 AS cell, min(ts) AS first_ts, max(ts) AS last_ts
  FROM system_sample
  WHERE ts IS NOT NULL
  GROUP BY run, node, ts >> 24
),

paused AS (
  SELECT run, node, cell, first_ts, first_ts - lag(last_ts) OVER (PARTITION BY run, node ORDER BY cell) AS pause
  FROM cells
),

begun AS (
  SELECT
    run,
    node,
    cell,
    -- Buckets are unique, so a ROWS frame is correct, and it takes a third of the time.
    max(CASE WHEN pause > 20000000 OR pause IS NULL THEN first_ts END) OVER (
      PARTITION BY run, node ORDER BY cell ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS snapshot
  FROM paused
)

SELECT s.run, s.node, b.snapshot, s.resource, s.device, s.metric, s.unit, s.ts, s.value
FROM begun AS b
JOIN system_sample AS s ON s.run = b.run AND (s.node IS NOT DISTINCT FROM b.node) AND (s.ts >> 24) = b.cell
ORDER BY s.run, s.node, s.ts, s.resource, s.metric, s.device, s.value
