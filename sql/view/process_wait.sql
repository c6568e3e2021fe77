-- How long did each process wait for data, of the time in which it waited or did a step?
--
-- One row per process that recorded both waits for a batch and steps. Waits and steps that overlap count once.
--
-- column  run   text    id  run the process belongs to
-- column  node  text    id  machine
-- column  rank  bigint  id  global rank of the process; null when unknown
-- column  wait  bigint  ns  time in which it waited for a batch
-- column  busy  bigint  ns  time in which it waited or did a step
--
-- needs   next_call, step
-- order   run, node, rank
-- source  sagemaker_framework, recorder

WITH spent AS (
  SELECT run, node, rank, ts, dur, true AS waiting
  FROM next_call
  WHERE ts IS NOT NULL
  UNION ALL
  SELECT run, node, rank, ts, dur, false AS waiting
  FROM step
  WHERE ts IS NOT NULL AND dur IS NOT NULL
)

SELECT
  run,
  node,
  rank,
  union_length(CASE WHEN waiting THEN ts END, dur) AS wait,
  union_length(ts, dur) AS busy
FROM spent
GROUP BY run, node, rank
HAVING bool_or(waiting) AND bool_or(NOT waiting)
ORDER BY run, node, rank
