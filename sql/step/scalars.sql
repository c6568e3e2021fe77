-- How did loss, learning rate, throughput and all else that was logged change from step to step?
--
-- One row for each scalar of the training that a logger wrote, in the order of its steps. What stands in `metrics.csv` and
-- in event files of TensorBoard is there once, with its time. A step may have several rows of a metric: the learning rate
-- is logged anew when an epoch begins, and steps of `validate/...` and `test/...` of the throughput are batches of their own
-- loop. Units are known of Lightning's callbacks only.
--
-- Left out: what callbacks measured of devices, which `utilization.device_stats` has.
--
-- empty   no logger wrote scalars: Lightning's CSVLogger writes `metrics.csv`, TensorBoard's writer `events.out.tfevents.*`
--
-- param   metric    text = null  only this metric; null for all
--
-- column  run       text    id     run the scalar belongs to
-- column  metric    text    name   name as the logger wrote it
-- column  step      bigint  id     step, as logged
-- column  epoch     bigint  id     epoch, as logged; null when none was
-- column  ts        bigint  time   when it was logged; null when only `metrics.csv` has it
-- column  value     double  mixed  the value; NaN or infinite where the training diverged
-- column  unit      text    name   unit of `value`; null when nobody knows
-- column  object    bigint  id     file it stands in, see table object
-- column  row       bigint  id     ordinal of the scalar in that file
--
-- needs   logged_sample
-- order   run, metric, step, object, row
-- source  lightning_metrics, tensorboard_events

SELECT run, metric, step, epoch, ts, value, unit, object, row
FROM logged_sample
WHERE resource = 'training' AND metric <> 'epoch' AND ($metric IS NULL OR metric = $metric)
ORDER BY run, metric, step, object, row
