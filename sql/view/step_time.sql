-- How long did each step of a run take, or where it recorded none, each batch of its loops with the work on it?
--
-- One row per step (view `step_span`); of a run that recorded no steps at all, one per call for the next batch whose work the profiler kept,
-- which is what a step is to a loop that only its loader was watched in. Replays of a loader by itself are none.
--
-- column  run       text     id    run the step belongs to
-- column  span      bigint   id    recording within the run, from 0; null for batches
-- column  mode      text     name  train, eval, predict or global; null when the profiler did not say; batch for batches
-- column  ts        bigint   time  start; null when no time was kept
-- column  dur       bigint   ns    its length; null when unknown
-- column  load      bigint   ns    of that, waiting for the batch; null for steps
-- column  complete  boolean  flag  false when a recording ended inside the step
--
-- needs   step, step_span, loader
-- order   run, ts, mode, span, dur, load
-- source  sagemaker_framework, kineto, nsys, recorder, loader_timings

WITH stepped AS (
  SELECT DISTINCT run
  FROM step
)

SELECT run, span, mode, ts, dur, CAST(NULL AS bigint) AS load, complete
FROM step_span
UNION ALL
SELECT
  l.run,
  CAST(NULL AS bigint) AS span,
  'batch' AS mode,
  l.ts,
  l.dur + l.compute_dur AS dur,
  l.dur AS load,
  true AS complete
FROM loader AS l
LEFT JOIN stepped AS s ON s.run = l.run
WHERE l.kind = 'next' AND l.dur >= 0 AND l.compute_dur >= 0 AND (l.variant IS DISTINCT FROM 'ideal') AND s.run IS NULL
ORDER BY run, ts, mode, span, dur, load
