-- When did each step of a rank start and end on the host, and each recording without steps?
--
-- One row per step as the profiler marked it. A recording without step marks is one step without a number. It lasts from the first start to
-- the last end of its operators. If there are no operators, it lasts from the first start to the last end of all its work: annotations,
-- collectives, calls of a data loader and into the runtime, kernels and copies. Python functions do not count as work.
--
-- Excluded: step marks without a time or a duration.
--
-- column  run       text     id    name of the run
-- column  node      text     id    machine
-- column  rank      bigint   id    global rank of the process; null when unknown
-- column  span      bigint   id    recording of the process within the run, from 0
-- column  mode      text     name  train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  step      bigint   id    step number as the profiler wrote it; null for a recording without steps
-- column  ts        bigint   time  start
-- column  dur       bigint   ns    duration
-- column  complete  boolean  flag  false when the recording ended inside the step
--
-- needs   timed_event, step
-- order   run, node, rank, span, ts
-- source  kineto, nsys, sagemaker_framework

-- One row per recording with steps. Otherwise the join would compare each event with every step of its recording.
WITH stepped AS (
  SELECT DISTINCT run, node, rank, span
  FROM step
),

recorded AS (
  SELECT
    e.run,
    e.node,
    e.rank,
    e.span,
    min(e.ts) FILTER (WHERE e.category = 'operator') AS host_ts,
    max(e.ts + e.dur) FILTER (WHERE e.category = 'operator') AS host_end,
    min(e.ts) AS first_ts,
    max(e.ts + e.dur) AS last_end
  FROM timed_event AS e
  LEFT ANTI JOIN stepped AS s
    ON s.run = e.run
      AND (s.node IS NOT DISTINCT FROM e.node)
      AND (s.rank IS NOT DISTINCT FROM e.rank)
      AND (s.span IS NOT DISTINCT FROM e.span)
  WHERE
    e.category IN (
      'operator', 'annotation', 'communication', 'loader', 'runtime', 'driver', 'kernel', 'memcpy', 'memset'
    )
    AND e.ts IS NOT NULL
  GROUP BY e.run, e.node, e.rank, e.span
)

SELECT run, node, rank, span, mode, step, ts, dur, complete
FROM step
WHERE ts IS NOT NULL AND dur >= 0
UNION ALL
SELECT
  run,
  node,
  rank,
  span,
  NULL AS mode,
  NULL AS step,
  coalesce(host_ts, first_ts) AS ts,
  coalesce(host_end, last_end) - coalesce(host_ts, first_ts) AS dur,
  NULL AS complete
FROM recorded
ORDER BY run, node, rank, span, ts
