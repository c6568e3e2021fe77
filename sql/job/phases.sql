-- Which phases did a job go through, and when?
--
-- Each stretch of consecutive steps of one mode is a phase. The time before the first step, between two stretches and after the last step
-- is also a phase. The names distinguish them: `before train`, `train`, `between train and eval`, `eval`, `after eval`. Intervals are
-- half-open: a phase ends where the next one starts, and the last one ends with the last recorded time.
--
-- The definition is that of `get_training_phase_intervals` of smdebug over all modes. smdebug gives inclusive ends, names the modes of a
-- gap in alphabetical order, and orders steps by their position in the files instead of by time.
--
-- Excluded: runs without steps, and gaps of zero length.
--
-- empty   there are no phases; SageMaker Debugger writes them into `framework/`
--
-- column  run    text    id     name of the run
-- column  phase  text    name   name of the phase
-- column  mode   text    name   train, eval, predict or global; null before, between and after
-- column  ts     bigint  time   start
-- column  dur    bigint  ns     length
-- column  steps  bigint  count  steps in it; 0 before, between and after
--
-- needs   phase_span
-- order   run, ts
-- source  sagemaker_framework, kineto, nsys

SELECT run, phase, mode, ts, dur, steps
FROM phase_span
ORDER BY run, ts, ordinal
