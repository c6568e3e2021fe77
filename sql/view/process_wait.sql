-- How long did each process wait for data, of the time in which it waited or worked?
--
-- One row per process that recorded waits for a batch or steps. Waits and steps that overlap count once. Of a run that recorded no steps
-- at all the time is that of the batches whose work the profiler kept (view `step_time`): waits, and waits with work. Replays of a
-- loader by itself are left out.
--
-- column  run   text    id  run the process belongs to
-- column  node  text    id  machine
-- column  rank  bigint  id  global rank of the process; null when unknown
-- column  wait  bigint  ns  time in which it waited for a batch; null when no wait was recorded
-- column  busy  bigint  ns  time in which it waited or worked; null unless both were recorded
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
  CASE WHEN bool_or(waiting) AND bool_or(NOT waiting) THEN union_length(ts, dur) END AS busy
FROM spent
GROUP BY run, node, rank
UNION ALL
SELECT l.run, l.node, l.rank, sum(l.dur) AS wait, sum(l.dur + l.compute_dur) AS busy
FROM loader AS l
LEFT JOIN stepped AS s ON s.run = l.run
WHERE l.kind = 'next' AND l.dur >= 0 AND l.compute_dur >= 0 AND (l.variant IS DISTINCT FROM 'ideal') AND s.run IS NULL
GROUP BY l.run, l.node, l.rank
ORDER BY run, node, rank
