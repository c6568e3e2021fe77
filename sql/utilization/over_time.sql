-- How did the load of the machines change in the course of a run?
--
-- The query divides the time from the first to the last sample of a run into at most `bins` bins of equal length, the same for all its
-- machines and quantities. Each row has the mean, minimum and maximum of one bin, so that short stalls stay visible in a long run. With
-- `by_device`, each core or accelerator has its own rows; otherwise all devices of a machine are merged and `device` is null. The number of
-- bins is at most the largest number of samples of one device and quantity. A short run is therefore not divided into bins without samples.
--
-- Excluded: empty bins and samples without a time. With `start` or `end`, samples outside of that window are also excluded. The bins then
-- divide the time from the first to the last sample in the window.
--
-- empty   no system metrics were recorded in the window; SageMaker Debugger writes them below `system/`
--
-- param   bins       bigint in 1.. = 200    maximum number of bins
-- param   by_device  boolean = false        whether each device has its own rows
-- param   start      bigint in time = null  start of the window, in ns, like `ts`; null for the first sample
-- param   end        bigint in time = null  end of the window (exclusive), in ns, like `ts`; null for the last sample
--
-- column  run       text    id     name of the run
-- column  node      text    id     machine
-- column  resource  text    name   cpu, gpu, memory, io or network
-- column  metric    text    name   name of the metric
-- column  unit      text    name   unit as recorded
-- column  device    text    name   device (cpu5, gpu0); null for all devices of the machine
-- column  ts        bigint  time   start of the bin
-- column  dur       bigint  ns     length of the bin
-- column  n         bigint  count  samples in it
-- column  mean      double  mixed  mean
-- column  min       double  mixed  minimum value
-- column  max       double  mixed  maximum value
--
-- needs   system_sample
-- order   run, node, resource, metric, unit, device, ts
-- source  sagemaker_system, nsys

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
    s.* EXCLUDE (device, ts),
    CASE WHEN $by_device THEN s.device END AS device,
    e.first_ts + least((s.ts - e.first_ts) / e.width, e.bins - 1) * e.width AS ts,
    e.width AS dur
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
