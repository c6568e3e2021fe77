-- Which phases did a run, or each rank of it, go through, from the first recorded time to the last?
--
-- View `phase_span` and `job.phases_by_rank` define the phases. Intervals are half-open. With `by_rank`, each rank has its own phases, made
-- of its own steps. Otherwise a step lasts from its first start on any rank to its last end.
--
-- Excluded: runs or ranks without steps, and gaps with length 0.
--
-- param   by_rank  boolean = true  whether each rank has its own phases
--
-- column  run      text    id     name of the run
-- column  node     text    id     machine; null without `by_rank`
-- column  rank     bigint  id     global rank of the process; null when unknown, and without `by_rank`
-- column  span     bigint  id     recording of the process within the run, from 0; null without `by_rank`
-- column  ordinal  bigint  id     place of the phase in the run or rank, from 0
-- column  phase    text    name   name of the phase
-- column  mode     text    name   train, eval, predict or global; null where there are none
-- column  ts       bigint  time   start
-- column  dur      bigint  ns     length
-- column  steps    bigint  count  steps in it; 0 before, between and after
--
-- needs   run, step, step_span
-- order   run, node, rank, span, ordinal
-- source  sagemaker_framework, kineto, nsys

WITH stepped AS (
  SELECT run, node, rank, span, span AS recording, mode, step, ts, dur
  FROM step
  WHERE $by_rank AND ts IS NOT NULL
  UNION ALL
  SELECT run, NULL AS node, NULL AS rank, NULL AS span, span AS recording, mode, step, ts, end_ts - ts AS dur
  FROM step_span
  WHERE NOT $by_rank
),

marked AS (
  SELECT
    *,
    coalesce(mode, 'step') AS name,
    ts + coalesce(dur, 0) AS till,
    lag(coalesce(mode, 'step')) OVER process AS previous_name,
    row_number() OVER process AS place
  FROM stepped
  WINDOW process AS (PARTITION BY run, node, rank, span ORDER BY ts, mode, recording, step, dur)
),

numbered AS (
  SELECT
    *,
    sum(CASE WHEN name = previous_name THEN 0 ELSE 1 END) OVER (
      PARTITION BY run, node, rank, span ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS stretch
  FROM marked
),

-- `reached` is the latest end so far: there is a gap only if no earlier step still runs.
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
    count(*) AS steps,
    max(max(till)) OVER (
      PARTITION BY run, node, rank, span ORDER BY stretch ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS reached,
    lead(min(ts)) OVER (PARTITION BY run, node, rank, span ORDER BY stretch) AS next_ts,
    lead(min(name)) OVER (PARTITION BY run, node, rank, span ORDER BY stretch) AS next_name
  FROM numbered
  GROUP BY run, node, rank, span, stretch
),

-- Each stretch of steps gives up to three phases: the time before the first stretch, the stretch itself, and the gap after it.
parts AS (
  SELECT
    n.* EXCLUDE (mode, ts, till, steps),
    p.part,
    CASE p.part
      WHEN 0 THEN 'before ' || n.name
      WHEN 1 THEN n.name
      ELSE CASE WHEN n.next_name IS NULL THEN 'after ' || n.name ELSE 'between ' || n.name || ' and ' || n.next_name END
    END AS phase,
    CASE p.part WHEN 1 THEN n.mode END AS mode,
    CASE p.part WHEN 0 THEN CASE WHEN r.first_ts <= n.ts THEN r.first_ts END WHEN 1 THEN n.ts ELSE n.reached END AS ts,
    CASE p.part WHEN 0 THEN n.ts WHEN 1 THEN n.till ELSE coalesce(n.next_ts, CASE WHEN r.first_ts <= n.ts THEN r.last_ts END) END AS till,
    CASE p.part WHEN 1 THEN n.steps ELSE 0 END AS steps
  FROM stretches AS n
  LEFT JOIN run AS r ON r.run = n.run
  CROSS JOIN (VALUES (0), (1), (2)) AS p (part)
  WHERE p.part > 0 OR n.stretch = 1
)

SELECT
  run,
  node,
  rank,
  span,
  CAST(row_number() OVER (PARTITION BY run, node, rank, span ORDER BY ts, stretch, part) AS bigint) - 1 AS ordinal,
  phase,
  mode,
  ts,
  till - ts AS dur,
  steps
FROM parts
WHERE part = 1 OR till > ts
ORDER BY run, node, rank, span, ordinal
