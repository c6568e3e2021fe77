-- How long did each phase, thread or stream take in a step, by mode?
--
-- A duration is a span: from the first start to the last end of the events of a track in one step of a rank. The
-- duration of a step is the median over its ranks. It is not a sum and includes the time between the events. View `event_step` assigns each event to a step: the step in which it starts, or for device work the
-- step that launched it. Steps with the same number in different modes or recordings count as different steps. Percentiles are exact, with
-- linear interpolation.
--
-- Excluded: steps that a recording cut short, and events outside of all steps. An event that carries a step number but is outside of all
-- steps counts for that step, without a mode.
--
-- `get_step_statistics` of smdebug by process uses one span over all ranks, which contains the skew of their clocks, and over all modes where
-- step numbers are equal.
--
-- empty   no event is in a step; SageMaker's hook records steps, and in a trace `prof.step()` or your step_annotation marks them
--
-- column  run       text    id     name of the run
-- column  mode      text    name   train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  track     text    name   row a viewer would draw it on: phase, thread or stream
-- column  n         bigint  count  steps with such events
-- column  dur_mean  double  ns     mean
-- column  dur_min   bigint  ns     shortest
-- column  dur_p50   double  ns     median
-- column  dur_p95   double  ns     95th percentile
-- column  dur_p99   double  ns     99th percentile
-- column  dur_max   bigint  ns     longest
--
-- needs   step_event_time
-- order   run, mode, track
-- source  sagemaker_framework, kineto, nsys

SELECT * EXCLUDE (label), label AS track
FROM step_event_time('track')
ORDER BY run, mode, track
