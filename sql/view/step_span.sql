-- When did each step of a run happen, over all its ranks?
--
-- The span of a step is the time from its earliest start to its latest end over the ranks that recorded it. It is not a sum: ranks that
-- work at the same time count once. The same step number in another recording (`span`) or in another mode is a different step. The view
-- does not correct the clocks of different machines. A step without a duration has a null `dur`.
--
-- Excluded: steps without a time.
--
-- column  run       text     id     name of the run
-- column  span      bigint   id     recording of the process within the run, from 0
-- column  mode      text     name   train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  step      bigint   id     step number as the profiler wrote it
-- column  ts        bigint   time   earliest start over the ranks
-- column  dur       bigint   ns     from there to the latest end over the ranks
-- column  ranks     bigint   count  ranks; null when no rank is known
-- column  complete  boolean  flag   false when the recording ended inside the step
--
-- needs   step
-- order   run, ts, mode, span, step
-- source  sagemaker_framework, kineto, nsys

SELECT
  run,
  span,
  mode,
  step,
  min(ts) AS ts,
  max(ts + dur) - min(ts) AS dur,
  nullif(count(DISTINCT rank), 0) AS ranks,
  bool_and(complete) AS complete
FROM step
WHERE ts IS NOT NULL
GROUP BY run, span, mode, step
ORDER BY run, ts, mode, span, step
