-- How long did each step take on each rank, and how far was that from its peers?
--
-- One row per step as one rank marked it. `relative` compares it with the median of the same step over all ranks. With only one rank it is
-- 1. `skip` excludes the first steps of each run and mode, which include compilation and warm-up.
--
-- Excluded: steps that the recording cut short.
--
-- empty   there are no steps; SageMaker's hook records steps, and in a trace `prof.step()` or your step_annotation marks them
--
-- param   skip  bigint in 0.. = 0  number of steps to skip at the start of each run and mode
--
-- column  run       text    id      name of the run
-- column  node      text    id      machine
-- column  rank      bigint  id      global rank of the process; null when unknown
-- column  span      bigint  id      recording of the process within the run, from 0
-- column  mode      text    name    train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  step      bigint  id      step number as the profiler wrote it
-- column  ts        bigint  time    start
-- column  dur       bigint  ns      duration on this rank
-- column  relative  double  factor  `dur` over the median of that step across ranks
--
-- needs   step
-- order   run, node, rank, mode, span, step, ts
-- source  sagemaker_framework, kineto, nsys

WITH numbered AS (
  SELECT *, dense_rank() OVER (PARTITION BY run, mode ORDER BY span, step) AS place
  FROM step
  WHERE dur IS NOT NULL AND complete IS NOT FALSE
)

SELECT * EXCLUDE (complete, process, object, row, place), dur / nullif(median(dur) OVER (PARTITION BY run, span, mode, step), 0) AS relative
FROM numbered
WHERE place > $skip
ORDER BY run, node, rank, mode, span, step, ts
