-- Which measurements of a machine were taken together?
--
-- The rows of `system_sample`, with the time of the snapshot they belong to. A profiler measures cores, accelerators and disks
-- one after the other, each with a time of its own, a few ms apart. A pause of more than 20 ms on a machine begins a new
-- snapshot, so that "while a GPU was idle, a core was busy" is a question about rows of one snapshot. 20 ms is the tolerance of
-- smdebug, whose profiler samples every 100 ms or less often.
--
-- Left out: samples without a time.
--
-- column  run       text    id     run the sample belongs to
-- column  node      text    id     machine
-- column  snapshot  bigint  time   first sample of the snapshot
-- column  resource  text    name   cpu, gpu, memory, io or network
-- column  device    text    name   device measured (cpu5, gpu0); null for the whole machine
-- column  metric    text    name   what was measured (utilization, iowait, receive_platform, ...)
-- column  unit      text    name   unit of `value`, as recorded
-- column  ts        bigint  time   when
-- column  value     double  mixed  the value, in the unit of column unit
--
-- needs   system_sample
-- order   run, node, ts, resource, metric, device, value
-- source  sagemaker_system

WITH paused AS (
  SELECT
    run,
    node,
    resource,
    device,
    metric,
    unit,
    ts,
    value,
    ts - lag(ts) OVER (PARTITION BY run, node ORDER BY ts) AS pause
  FROM system_sample
  WHERE ts IS NOT NULL
)

SELECT
  run,
  node,
  max(CASE WHEN pause > 20000000 OR pause IS NULL THEN ts END) OVER (PARTITION BY run, node ORDER BY ts) AS snapshot,
  resource,
  device,
  metric,
  unit,
  ts,
  value
FROM paused
ORDER BY run, node, ts, resource, metric, device, value
