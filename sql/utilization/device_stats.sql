-- What did Lightning's DeviceStatsMonitor measure of the devices?
--
-- One row per metric and hook, over all steps that were logged, which is each fiftieth unless the Trainer was told otherwise. What
-- stands in `metrics.csv` and in event files of TensorBoard counts once.
--
-- There is no utilization of a GPU in it: of CUDA devices it has counters of the memory allocator only. The load of the CPU is that of
-- the whole machine since the call before; the first one means nothing, and calls that follow each other within a tenth of a
-- second are not to be trusted, such as those of the start of a batch after the end of the one before. Running totals
-- (`allocated_bytes.all.allocated`, `...freed`, `num_...`) only grow: of them `last` is what counts.
--
-- empty   no device statistics were logged: DeviceStatsMonitor writes them to the loggers of the Trainer
--
-- column  run         text    id     run the statistics belong to
-- column  resource    text    name   cpu, memory, gpu or allocator; null for a metric that nobody knows
-- column  device      text    name   device measured; null for the whole machine, and where the monitor did not say
-- column  metric      text    name   what was measured
-- column  hook        text    name   hook of the training in which it was measured
-- column  unit        text    name   unit of the values; null when nobody knows
-- column  n           bigint  count  measurements
-- column  min         double  mixed  least value, in the unit of column unit
-- column  mean        double  mixed  mean
-- column  max         double  mixed  greatest value
-- column  last        double  mixed  value of the last step
-- column  first_step  bigint  id     first step that has one
-- column  last_step   bigint  id     last step that has one
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
  last_value(value ORDER BY step, object, row) AS last,
  min(step) AS first_step,
  max(step) AS last_step,
  raw_name
FROM logged_sample
WHERE hook IS NOT NULL
GROUP BY run, resource, device, metric, hook, unit, raw_name
ORDER BY run, resource, device, metric, hook, raw_name
