-- When did each rank run steps of one mode, and how much time was between them?
--
-- The query divides the time of a run into intervals, for each rank and mode. There is one interval for every step, one before the first
-- step of the mode (`before train`), one for every gap between two steps (`between train and train`), and one after the last step (`after
-- train`). Intervals are half-open: each ends where the next one starts. They overlap only where steps overlap. Gaps include everything
-- else that ran, also steps of other modes. `job.phases_by_rank` merges consecutive steps of a mode instead.
--
-- Excluded: steps without a time or a duration, and gaps of zero length.
--
-- The definition is that of `get_training_phase_intervals` of smdebug with a single phase. smdebug has inclusive ends and takes the steps
-- of several ranks in the order of the files, so that gaps may have negative lengths.
--
-- empty   there are no steps; SageMaker's hook records steps, and in a trace `prof.step()` or your step_annotation marks them
--
-- column  run    text    id    name of the run
-- column  node   text    id    machine
-- column  rank   bigint  id    global rank of the process; null when unknown
-- column  span   bigint  id    recording of the process within the run, from 0
-- column  mode   text    name  train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  phase  text    name  name of the phase
-- column  step   bigint  id    step number as the profiler wrote it; null before, between and after
-- column  ts     bigint  time  start
-- column  dur    bigint  ns    length
--
-- needs   run, step
-- order   run, node, rank, span, mode, ts, dur
-- source  sagemaker_framework, kineto, nsys

WITH marked AS (
  SELECT
    *,
    coalesce(mode, 'step') AS name,
    ts + dur AS till,
    row_number() OVER (PARTITION BY run, node, rank, span, mode ORDER BY ts, step, dur) AS place
  FROM step
  WHERE ts IS NOT NULL AND dur IS NOT NULL
),

-- `reached` is the latest end so far. A gap follows only if no earlier step still runs.
neighbors AS (
  SELECT
    *,
    max(till) OVER (
      PARTITION BY run, node, rank, span, mode ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS reached,
    lead(ts) OVER (PARTITION BY run, node, rank, span, mode ORDER BY place) AS next_ts
  FROM marked
),

-- Each step gives up to three intervals: the time before the first step, the step itself, and the gap after it.
parts AS (
  SELECT
    n.* EXCLUDE (step, ts, till),
    p.part,
    CASE p.part
      WHEN 0 THEN 'before ' || n.name
      WHEN 1 THEN n.name
      ELSE CASE WHEN n.next_ts IS NULL THEN 'after ' || n.name ELSE 'between ' || n.name || ' and ' || n.name END
    END AS phase,
    CASE p.part WHEN 1 THEN n.step END AS step,
    CASE p.part WHEN 0 THEN CASE WHEN r.first_ts <= n.ts THEN r.first_ts END WHEN 1 THEN n.ts ELSE n.reached END AS ts,
    CASE p.part WHEN 0 THEN n.ts WHEN 1 THEN n.till ELSE coalesce(n.next_ts, CASE WHEN r.first_ts <= n.ts THEN r.last_ts END) END AS till
  FROM neighbors AS n
  LEFT JOIN run AS r ON r.run = n.run
  CROSS JOIN (VALUES (0), (1), (2)) AS p (part)
  WHERE p.part > 0 OR n.place = 1
)

SELECT run, node, rank, span, mode, phase, step, ts, till - ts AS dur
FROM parts
WHERE part = 1 OR till > ts
ORDER BY run, node, rank, span, mode, ts, dur
