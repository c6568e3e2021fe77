-- How long did each step of a run take, or each batch if the run recorded no steps?
--
-- One row per step (view `step_span`). If a run recorded no steps at all, it has one row per call for the next batch with work that the
-- profiler recorded: wait and work together. If only the loader of a loop was recorded, a batch is the equivalent of a step.
--
-- Excluded: replays of a loader by itself.
--
-- column  run       text     id    name of the run
-- column  span      bigint   id    recording of the process within the run, from 0; null for batches
-- column  mode      text     name  train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=; batch for batches
-- column  ts        bigint   time  start; null when no time was recorded
-- column  dur       bigint   ns    its length; null when unknown
-- column  load      bigint   ns    time waited for batches; null for steps
-- column  complete  boolean  flag  false when the recording ended inside the step
--
-- needs   step, step_span, loader
-- order   run, ts, mode, span, dur, load
-- source  sagemaker_framework, kineto, nsys, recorder, loader_timings

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
LEFT ANTI JOIN (SELECT DISTINCT run FROM step) AS s ON s.run = l.run
WHERE l.kind = 'next' AND l.dur >= 0 AND l.compute_dur >= 0 AND (l.variant IS DISTINCT FROM 'ideal')
ORDER BY run, ts, mode, span, dur, load
