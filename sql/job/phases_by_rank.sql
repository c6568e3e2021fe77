-- Which phases did each rank of a job go through, and when?
--
-- The phases of `job.phases`, for each rank by itself. Each stretch of consecutive steps of one mode is a phase. The time before the first
-- step, between two stretches and after the last step is also a phase. A rank that starts late or waits for the others is visible here. The
-- phases of the whole job, in contrast, begin with its first rank and end with its last one. Intervals are half-open. The first one begins
-- and the last one ends with the run.
--
-- Excluded: ranks without steps, and gaps of zero length.
--
-- empty   there are no phases; SageMaker Debugger writes them into `framework/`
--
-- column  run    text    id     name of the run
-- column  node   text    id     machine
-- column  rank   bigint  id     global rank of the process; null when unknown
-- column  span   bigint  id     recording of the process within the run, from 0
-- column  phase  text    name   name of the phase
-- column  mode   text    name   train, eval, predict or global; null before, between and after
-- column  ts     bigint  time   start
-- column  dur    bigint  ns     length
-- column  steps  bigint  count  steps in it; 0 before, between and after
--
-- needs   run, step
-- order   run, node, rank, span, ts, dur
-- source  sagemaker_framework, kineto, nsys

WITH marked AS (
  SELECT
    run,
    node,
    rank,
    span,
    mode,
    coalesce(mode, 'step') AS name,
    ts,
    ts + coalesce(dur, 0) AS till,
    lag(coalesce(mode, 'step')) OVER (PARTITION BY run, node, rank, span ORDER BY ts, mode, step, dur) AS previous_name,
    row_number() OVER (PARTITION BY run, node, rank, span ORDER BY ts, mode, step, dur) AS place
  FROM step
  WHERE ts IS NOT NULL
),

numbered AS (
  SELECT
    run,
    node,
    rank,
    span,
    mode,
    name,
    ts,
    till,
    sum(CASE WHEN name = previous_name THEN 0 ELSE 1 END) OVER (
      PARTITION BY run, node, rank, span ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS stretch
  FROM marked
),

stretches AS (
  SELECT
    run,
    node,
    rank,
    span,
    stretch,
    min(mode) AS mode,
    min(name) AS name,
    min(ts) AS ts,
    max(till) AS till,
    count(*) AS steps
  FROM numbered
  GROUP BY run, node, rank, span, stretch
),

-- `reached` is the latest end so far: a gap follows only if nothing earlier still runs.
neighbors AS (
  SELECT
    run,
    node,
    rank,
    span,
    stretch,
    mode,
    name,
    ts,
    till,
    steps,
    max(till) OVER (
      PARTITION BY run, node, rank, span ORDER BY stretch ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS reached,
    lead(ts) OVER (PARTITION BY run, node, rank, span ORDER BY stretch) AS next_ts,
    lead(name) OVER (PARTITION BY run, node, rank, span ORDER BY stretch) AS next_name
  FROM stretches
),

-- Each stretch of steps gives up to three phases: the time before the first stretch, the stretch itself, and the gap after it.
parts AS (
  SELECT
    n.run,
    n.node,
    n.rank,
    n.span,
    p.part,
    CASE p.part
      WHEN 0 THEN 'before ' || n.name
      WHEN 1 THEN n.name
      ELSE CASE WHEN n.next_name IS NULL THEN 'after ' || n.name ELSE 'between ' || n.name || ' and ' || n.next_name END
    END AS phase,
    CASE p.part WHEN 1 THEN n.mode END AS mode,
    CASE p.part WHEN 0 THEN r.started WHEN 1 THEN n.ts ELSE n.reached END AS ts,
    CASE p.part WHEN 0 THEN n.ts WHEN 1 THEN n.till ELSE coalesce(n.next_ts, r.ended) END AS till,
    CASE p.part WHEN 1 THEN n.steps ELSE 0 END AS steps
  FROM neighbors AS n
  LEFT JOIN run AS r ON r.run = n.run
  CROSS JOIN (VALUES (0), (1), (2)) AS p (part)
  WHERE p.part > 0 OR n.stretch = 1
)

SELECT run, node, rank, span, phase, mode, ts, till - ts AS dur, steps
FROM parts
WHERE part = 1 OR till > ts
ORDER BY run, node, rank, span, ts, dur
