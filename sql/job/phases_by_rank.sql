-- Which phases did each rank of a job go through, and when?
--
-- The phases of `job.phases`, for each rank by itself. Each stretch of consecutive steps of one mode is a phase. The time before the first
-- step, between two stretches and after the last step is also a phase. A rank that starts late or waits for the others is visible here. The
-- phases of the whole job, in contrast, begin with its first rank and end with its last one. Intervals are half-open. The first one begins
-- and the last one ends with the run.
--
-- Excluded: ranks without steps, and gaps of zero length.
--
-- empty   there are no phases; SageMaker Debugger writes them into `framework/`
--
-- column  run    text    id     name of the run
-- column  node   text    id     machine
-- column  rank   bigint  id     global rank of the process; null when unknown
-- column  span   bigint  id     recording of the process within the run, from 0
-- column  phase  text    name   name of the phase
-- column  mode   text    name   train, eval, predict or global; null before, between and after
-- column  ts     bigint  time   start
-- column  dur    bigint  ns     length
-- column  steps  bigint  count  steps in it; 0 before, between and after
--
-- needs   phase_part
-- order   run, node, rank, span, ts, dur
-- source  sagemaker_framework, kineto, nsys

SELECT * EXCLUDE (ordinal)
FROM phase_part(true)
ORDER BY run, node, rank, span, ts, dur
