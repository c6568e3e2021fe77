-- Which phases did a job go through, and when?
--
-- Each stretch of consecutive steps of one mode is a phase; so is the time before the first step, between two stretches
-- and after the last step. Names tell them apart: `before train`, `train`, `between train and eval`, `eval`, `after eval`.
-- Intervals are half-open: a phase ends where the next one starts, and the last one ends with the last recorded time.
--
-- Left out: runs without steps, and gaps of no length. The definition is that of `get_training_phase_intervals` of
-- smdebug over all modes, which gives inclusive ends, names the modes of a gap in alphabetical order, and orders steps
-- as they stand in the files instead of by time.
--
-- empty   there are no phases: SageMaker Debugger writes them into `framework/`
--
-- column  run    text    id     run the phase belongs to
-- column  phase  text    name   name of the phase
-- column  mode   text    name   mode of its steps; null before, between and after
-- column  ts     bigint  time   start
-- column  dur    bigint  ns     length
-- column  steps  bigint  count  steps in it; 0 before, between and after
--
-- needs   phase_span
-- order   run, ts
-- source  sagemaker_framework

SELECT run, phase, mode, ts, dur, steps
FROM phase_span
ORDER BY run, ts, ordinal
