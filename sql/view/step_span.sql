-- When did each step of a run happen, and how long did its ranks take for it?
--
-- `dur` is the median over the ranks that recorded the step, because each rank measures its duration with one clock. `ts` and `end_ts` are
-- the earliest start and the latest end over the ranks, by the clocks of their machines: `rank.clock_offsets` shows how far these are
-- apart. The same step number in another recording (`span`) or in another mode is a different step. A step without a duration has a null
-- `dur`.
--
-- Excluded: steps without a time.
--
-- column  run       text     id     name of the run
-- column  span      bigint   id     recording of the process within the run, from 0
-- column  mode      text     name   train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  step      bigint   id     step number as the profiler wrote it
-- column  ts        bigint   time   earliest start over the ranks
-- column  end_ts    bigint   time   latest end over the ranks; null when no duration is known
-- column  dur       bigint   ns     median duration over the ranks
-- column  ranks     bigint   count  ranks; null when no rank is known
-- column  complete  boolean  flag   false when the recording ended inside the step
--
-- needs   step
-- order   run, ts, mode, span, step
-- source  sagemaker_framework, kineto, nsys

WITH ranked AS (
  SELECT
    run,
    span,
    mode,
    step,
    rank,
    min(ts) AS ts,
    max(ts + dur) AS end_ts,
    max(ts + dur) - min(ts) AS dur,
    bool_and(complete) AS complete
  FROM step
  WHERE ts IS NOT NULL
  GROUP BY run, span, mode, step, node, rank
)

SELECT
  run,
  span,
  mode,
  step,
  min(ts) AS ts,
  max(end_ts) AS end_ts,
  TRY_CAST(round(median(CAST(dur AS double))) AS bigint) AS dur,
  nullif(count(DISTINCT rank), 0) AS ranks,
  bool_and(complete) AS complete
FROM ranked
GROUP BY run, span, mode, step
ORDER BY run, ts, mode, span, step
