-- How did the duration of the steps change in the course of a run?
--
-- One row per step, in order of time. The duration is the span of the step over all ranks.
--
-- Excluded: steps without a time. With `start` or `end`, steps that begin outside of that window are also excluded. Steps that a recording
-- cut short are included and marked.
--
-- empty   there are no steps in the window; SageMaker's hook records steps, and in a trace `prof.step()` or your step_annotation marks them
--
-- param   start  bigint in time = null  start of the window, in ns, like `ts`; null for the first step
-- param   end    bigint in time = null  end of the window (exclusive), in ns, like `ts`; null for the last step
--
-- column  run       text     id     name of the run
-- column  span      bigint   id     recording of the process within the run, from 0
-- column  mode      text     name   train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  step      bigint   id     step number as the profiler wrote it
-- column  ts        bigint   time   earliest start over the ranks
-- column  dur       bigint   ns     median duration over the ranks
-- column  ranks     bigint   count  ranks; null when no rank is known
-- column  complete  boolean  flag   false when the recording ended inside the step
--
-- needs   step_span
-- order   run, ts, mode, span, step
-- source  sagemaker_framework, kineto, nsys

SELECT run, span, mode, step, ts, dur, ranks, complete
FROM step_span
WHERE (ts >= $start OR $start IS NULL) AND (ts < $end OR $end IS NULL)
ORDER BY run, ts, mode, span, step
