-- When did each step of a run happen, over all its ranks?
--
-- The span of a step runs from its earliest start to its latest end over the ranks that recorded it. It is not a sum:
-- ranks that work side by side count once. A step number that comes again in another recording (`span`) or in another
-- mode is another step. Clocks of different machines are taken as they are.
--
-- Left out: steps without a time. A step without a duration has a null `dur`.
--
-- column  run       text     id     run the step belongs to
-- column  span      bigint   id     recording within the run, from 0
-- column  mode      text     name   train, eval, predict or global; null when the profiler did not say
-- column  step      bigint   id     step number as the profiler wrote it
-- column  ts        bigint   time   earliest start over the ranks
-- column  dur       bigint   ns     from there to the latest end over the ranks
-- column  ranks     bigint   count  ranks that recorded it; null when no rank is known
-- column  complete  boolean  flag   false when a recording ended inside the step
--
-- needs   step
-- order   run, ts, mode, span, step
-- source  sagemaker_framework

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
