-- Which measurements did the loggers of a training write, without duplicates?
--
-- The rows of table `sample` to which a logger gave a step: losses, learning rates, throughput, and device measurements of callbacks. A run
-- may have the same measurement twice: in `metrics.csv` and in event files of TensorBoard. The view then has only the row with a time. Two
-- rows are the same measurement if they have the same name, the same step and the same value in single precision, which is the precision of
-- event files. Measurements that are in only one of the files are included.
--
-- Event files have the epoch as a separate scalar. It becomes the epoch of the other rows of the same file and step, if only one epoch was
-- logged there.
--
-- column  run       text    id     name of the run
-- column  resource  text    name   training, cpu, memory, gpu or allocator; null for an unknown metric
-- column  device    text    name   device measured; null for the whole machine, and where the logger did not say
-- column  metric    text    name   name of the metric
-- column  hook      text    name   hook of the training in which it was measured; null for what the training itself logged
-- column  step      bigint  id     step number as the profiler wrote it
-- column  epoch     bigint  id     epoch as recorded; null when none was
-- column  ts        bigint  time   when it was logged; null when only `metrics.csv` has it
-- column  value     double  mixed  the value, in the unit of column unit; it may be NaN or infinite
-- column  unit      text    name   unit as recorded; null when unknown
-- column  raw_name  text    name   name as the logger wrote it
-- column  object    bigint  id     file of the row, see table object
-- column  entry     bigint  id     line or record of that file, from 0
-- column  row       bigint  id     ordinal of the row in its file
--
-- needs   sample
-- order   run, object, row
-- source  lightning_metrics, tensorboard_events

WITH timed AS (
  SELECT DISTINCT run, raw_name, step, CAST(value AS real) AS value
  FROM sample
  WHERE step IS NOT NULL AND ts IS NOT NULL
),

epochs AS (
  SELECT run, object, step, TRY_CAST(min(value) AS bigint) AS epoch
  FROM sample
  WHERE step IS NOT NULL AND metric = 'epoch'
  GROUP BY run, object, step
  HAVING min(value) = max(value)
)

SELECT
  s.run,
  s.resource,
  s.device,
  s.metric,
  s.hook,
  s.step,
  coalesce(s.epoch, e.epoch) AS epoch,
  s.ts,
  s.value,
  s.unit,
  s.raw_name,
  s.object,
  s.entry,
  s.row
FROM sample AS s
LEFT JOIN timed AS t
  ON t.run = s.run AND t.raw_name = s.raw_name AND t.step = s.step AND t.value = CAST(s.value AS real) AND s.ts IS NULL
LEFT JOIN epochs AS e ON e.run = s.run AND e.object = s.object AND e.step = s.step
WHERE s.step IS NOT NULL AND t.run IS NULL
ORDER BY run, object, row
