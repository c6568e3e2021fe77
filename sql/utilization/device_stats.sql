-- What did Lightning's DeviceStatsMonitor measure on the devices?
--
-- One row per metric and hook, over all steps that were logged. The Trainer logs every 50th step unless you change that. A measurement that
-- is both in `metrics.csv` and in event files of TensorBoard counts once.
--
-- There is no GPU utilization: for CUDA devices, the monitor records only counters of the memory allocator. The CPU load is that of the
-- whole machine since the previous call. The first value means nothing. Values of calls within a tenth of a second are not reliable, such
-- as at the start of a batch right after the end of the previous one. Running totals (`allocated_bytes.all.allocated`, `...freed`,
-- `num_...`) only grow: use `last_value` for them.
--
-- empty   no device statistics were logged; DeviceStatsMonitor writes them to the loggers of the Trainer
--
-- column  run         text    id     name of the run
-- column  resource    text    name   cpu, memory, gpu or allocator; null for an unknown metric
-- column  device      text    name   device measured; null for the whole machine, and where the monitor did not say
-- column  metric      text    name   name of the metric
-- column  hook        text    name   hook of the training in which it was measured
-- column  unit        text    name   unit as recorded; null when unknown
-- column  n           bigint  count  measurements
-- column  min         double  mixed  minimum value
-- column  mean        double  mixed  mean
-- column  max         double  mixed  maximum value
-- column  last_value  double  mixed  value of the last step
-- column  first_step  bigint  id     first step in it; the first one with a value
-- column  last_step   bigint  id     last step in it; the last one with a value
-- column  raw_name    text    name   name as the logger wrote it
--
-- needs   logged_sample
-- order   run, resource, device, metric, hook, raw_name
-- source  lightning_metrics, tensorboard_events

SELECT
  run,
  resource,
  device,
  metric,
  hook,
  unit,
  count(value) AS n,
  min(value) AS min,
  avg(value) AS mean,
  max(value) AS max,
  last_value(value ORDER BY step, object, row) AS last_value,
  min(step) AS first_step,
  max(step) AS last_step,
  raw_name
FROM logged_sample
WHERE hook IS NOT NULL
GROUP BY run, resource, device, metric, hook, unit, raw_name
ORDER BY run, resource, device, metric, hook, raw_name
