-- Which phases did a run go through, from its first recorded time to its last?
--
-- Consecutive steps of one mode are one phase. There are more phases before the first step, between two phases and after the last step,
-- named `before train`, `between train and eval` (in the order of time), `after eval`. Steps with an unknown mode form phases called
-- `step`. Intervals are half-open: a phase ends where the next one starts. The first phase begins and the last one ends with the times of
-- table `run`. Phases of steps overlap where their steps do.
--
-- Excluded: runs without steps, and gaps with length 0.
--
-- column  run      text    id     name of the run
-- column  ordinal  bigint  id     place of the phase in the run, from 0
-- column  phase    text    name   name of the phase
-- column  mode     text    name   train, eval, predict or global; null where there are none
-- column  ts       bigint  time   start
-- column  dur      bigint  ns     length
-- column  steps    bigint  count  steps in it; 0 before, between and after
--
-- needs   phase_part
-- order   run, ordinal
-- source  sagemaker_framework, kineto, nsys

SELECT * EXCLUDE (node, rank, span)
FROM phase_part(false)
ORDER BY run, ordinal
