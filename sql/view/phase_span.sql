-- Which phases did a run go through, from its first recorded time to its last?
--
-- Consecutive steps of one mode are one phase. There are more phases before the first step, between two phases and after the last step,
-- named `before train`, `between train and eval` (in the order of time), `after eval`. Steps with an unknown mode form phases called
-- `step`. Intervals are half-open: a phase ends where the next one starts. The first phase begins and the last one ends with the times of
-- table `run`. Phases of steps overlap where their steps do.
--
-- Excluded: runs without steps, and gaps with length 0.
--
-- column  run      text    id     name of the run
-- column  ordinal  bigint  id     place of the phase in the run, from 0
-- column  phase    text    name   name of the phase
-- column  mode     text    name   train, eval, predict or global; null where there are none
-- column  ts       bigint  time   start
-- column  dur      bigint  ns     length
-- column  steps    bigint  count  steps in it; 0 before, between and after
--
-- needs   run, step_span
-- order   run, ordinal
-- source  sagemaker_framework, kineto, nsys

WITH marked AS (
  SELECT
    run,
    mode,
    coalesce(mode, 'step') AS name,
    ts,
    ts + coalesce(dur, 0) AS till,
    lag(coalesce(mode, 'step')) OVER (PARTITION BY run ORDER BY ts, mode, span, step) AS previous_name,
    row_number() OVER (PARTITION BY run ORDER BY ts, mode, span, step) AS place
  FROM step_span
),

numbered AS (
  SELECT
    run,
    mode,
    name,
    ts,
    till,
    sum(CASE WHEN name = previous_name THEN 0 ELSE 1 END) OVER (
      PARTITION BY run ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS stretch
  FROM marked
),

stretches AS (
  SELECT run, stretch, min(mode) AS mode, min(name) AS name, min(ts) AS ts, max(till) AS till, count(*) AS steps
  FROM numbered
  GROUP BY run, stretch
),

-- `reached` is the latest end so far: there is a gap only if no earlier step still runs.
neighbors AS (
  SELECT
    run,
    stretch,
    mode,
    name,
    ts,
    till,
    steps,
    max(till) OVER (PARTITION BY run ORDER BY stretch ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS reached,
    lead(ts) OVER (PARTITION BY run ORDER BY stretch) AS next_ts,
    lead(name) OVER (PARTITION BY run ORDER BY stretch) AS next_name
  FROM stretches
),

-- Each stretch of steps gives up to three phases: the time before the first stretch, the stretch itself, and the gap after it.
parts AS (
  SELECT
    n.run,
    p.part,
    n.stretch,
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

SELECT
  run,
  CAST(row_number() OVER (PARTITION BY run ORDER BY ts, stretch, part) AS bigint) - 1 AS ordinal,
  phase,
  mode,
  ts,
  till - ts AS dur,
  steps
FROM parts
WHERE part = 1 OR till > ts
ORDER BY run, ordinal
