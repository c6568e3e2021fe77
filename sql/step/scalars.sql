-- How did loss, learning rate, throughput and other logged metrics change from step to step?
--
-- One row for each scalar of the training that a logger wrote, in order of step. A scalar that is both in `metrics.csv` and in event files
-- of TensorBoard has one row, with its time. A step may have several rows of a metric: the learning rate is logged again when an epoch
-- begins. For the throughput, the steps of `validate/...` and `test/...` are batches of their own loop. Units are known only for
-- Lightning's callbacks.
--
-- Excluded: device measurements of callbacks (see `utilization.device_stats`).
--
-- empty   no logger wrote scalars; Lightning's CSVLogger writes `metrics.csv`, and TensorBoard's writer writes `events.out.tfevents.*`
--
-- param   metric  text = null  only this metric; null for all
--
-- column  run     text    id     name of the run
-- column  metric  text    name   name of the metric
-- column  step    bigint  id     step number as the profiler wrote it
-- column  epoch   bigint  id     epoch as recorded; null when none was
-- column  ts      bigint  time   when it was logged; null when only `metrics.csv` has it
-- column  value   double  mixed  the value; NaN or infinite where the training diverged
-- column  unit    text    name   unit as recorded; null when unknown
-- column  object  bigint  id     file of the row, see table object
-- column  row     bigint  id     ordinal of the row in its file
--
-- needs   logged_sample
-- order   run, metric, step, object, row
-- source  lightning_metrics, tensorboard_events

SELECT run, metric, step, epoch, ts, value, unit, object, row
FROM logged_sample
WHERE resource = 'training' AND metric <> 'epoch' AND ($metric IS NULL OR metric = $metric)
ORDER BY run, metric, step, object, row
