-- How long did each process wait for data, out of the time in which it waited or worked?
--
-- One row per process that recorded waits for a batch or steps. Waits and steps that overlap count once. If a run recorded no steps at all,
-- the view uses batches with work recorded by the profiler (view `step_time`): the sum of their waits, and the sum of waits and work.
--
-- Excluded: replays of a loader by itself.
--
-- column  run           text    id  name of the run
-- column  node          text    id  machine
-- column  rank          bigint  id  global rank of the process; null when unknown
-- column  wait          bigint  ns  time in which at least one call was waiting; null when no wait was recorded
-- column  wait_or_step  bigint  ns  time in which it waited or worked; null unless both were recorded
--
-- needs   next_call, step, loader
-- order   run, node, rank
-- source  sagemaker_framework, recorder, loader_timings

WITH stepped AS (
  SELECT DISTINCT run
  FROM step
),

spent AS (
  SELECT n.run, n.node, n.rank, n.ts, n.dur, true AS waiting
  FROM next_call AS n
  JOIN stepped AS s ON s.run = n.run
  WHERE n.ts IS NOT NULL
  UNION ALL
  SELECT run, node, rank, ts, dur, false AS waiting
  FROM step
  WHERE ts IS NOT NULL AND dur IS NOT NULL
)

SELECT
  run,
  node,
  rank,
  CASE WHEN bool_or(waiting) THEN union_length(CASE WHEN waiting THEN ts END, dur) END AS wait,
  CASE WHEN bool_or(waiting) AND bool_or(NOT waiting) THEN union_length(ts, dur) END AS wait_or_step
FROM spent
GROUP BY run, node, rank
UNION ALL
SELECT l.run, l.node, l.rank, sum(l.dur) AS wait, sum(l.dur + l.compute_dur) AS wait_or_step
FROM loader AS l
LEFT JOIN stepped AS s ON s.run = l.run
WHERE l.kind = 'next' AND l.dur >= 0 AND l.compute_dur >= 0 AND (l.variant IS DISTINCT FROM 'ideal') AND s.run IS NULL
GROUP BY l.run, l.node, l.rank
ORDER BY run, node, rank
