-- How did the load of the machines change in the course of a run?
--
-- The time from the first to the last sample of a run is cut into at most `bins` bins of equal length, the same for all
-- its machines and quantities; each row has mean, least and greatest value of one bin. Short stalls therefore stay
-- visible in a long run. With `by_device` each core or accelerator has rows of its own; otherwise all devices of a
-- machine are taken together and `device` is null. There are never more bins than samples of one device and quantity, so
-- that a short run is not cut into bins without samples.
--
-- Left out: empty bins, samples without a time, and with `start` or `end` what lies outside of that window, which the bins then
-- divide.
--
-- empty   there are no samples of the system, or none in the window: SageMaker Debugger writes them below `system/`
--
-- param   bins       bigint >= 1 = 200  greatest number of bins
-- param   by_device  boolean = false     whether each device has rows of its own
-- param   start      bigint = null       begin of the window, in ns since the Unix epoch; null for the first sample
-- param   end        bigint = null       end of the window, in ns since the Unix epoch; null for the last sample
--
-- column  run        text    id     run the samples belong to
-- column  node       text    id     machine
-- column  resource   text    name   cpu, gpu, memory, io or network
-- column  metric     text    name   what was measured
-- column  unit       text    name   unit of the values, as recorded
-- column  device     text    name   device (cpu5, gpu0); null for all devices of the machine
-- column  ts         bigint  time   start of the bin
-- column  dur        bigint  ns     length of the bin
-- column  n          bigint  count  samples in it
-- column  mean       double  mixed  mean, in the unit of column unit
-- column  min        double  mixed  least value
-- column  max        double  mixed  greatest value
--
-- needs   system_sample
-- order   run, node, resource, metric, unit, device, ts
-- source  sagemaker_system

WITH timed AS (
  SELECT *
  FROM system_sample
  WHERE ts IS NOT NULL AND (ts >= $start OR $start IS NULL) AND (ts < $end OR $end IS NULL)
),

series AS (
  SELECT run, node, resource, metric, device, min(ts) AS first_ts, max(ts) AS last_ts, count(*) AS n
  FROM timed
  GROUP BY run, node, resource, metric, device
),

extent AS (
  SELECT
    run,
    min(first_ts) AS first_ts,
    greatest(least($bins, max(n)), 1) AS bins,
    greatest((max(last_ts) - min(first_ts)) / greatest(least($bins, max(n)), 1), 1) AS width
  FROM series
  GROUP BY run
),

binned AS (
  SELECT
    s.run,
    s.node,
    s.resource,
    s.metric,
    s.unit,
    CASE WHEN $by_device THEN s.device END AS device,
    e.first_ts + least((s.ts - e.first_ts) / e.width, e.bins - 1) * e.width AS ts,
    e.width AS dur,
    s.value
  FROM timed AS s
  JOIN extent AS e ON e.run = s.run
)

SELECT
  run,
  node,
  resource,
  metric,
  unit,
  device,
  ts,
  dur,
  count(*) AS n,
  avg(value) AS mean,
  min(value) AS min,
  max(value) AS max
FROM binned
GROUP BY run, node, resource, metric, unit, device, ts, dur
ORDER BY run, node, resource, metric, unit, device, ts
