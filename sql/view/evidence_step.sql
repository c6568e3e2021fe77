-- How long were the usual steps, the first steps and the outliers of each run?
--
-- One row per run. Steps are those of the main mode: train if the run has it, else the mode with the most time. If a run has no steps, the
-- view uses the recorded work on each batch of a loop (`compute` of `loader_batch`), and `kind` is batch. The first steps are those of the
-- process with the longest first step relative to its own median: its first `warm` steps all lasted at least twice the median.
--
-- Outliers lasted more than 3 standard deviations (of the population) above the mean of their process, as in smdebug's StepOutlier. The
-- outlier columns are those of the process with the most outliers. `outlier_role` is the role of `step.breakdown` that grew most compared
-- with other steps.
--
-- Both limits classify single steps, and this view has only counts and sums per run. They are therefore not parameters of the findings.
-- `rules.step_outlier` and `step.outliers` accept other limits.
--
-- Excluded: steps that are incomplete because the recording ended. Columns are null if nothing is known.
--
-- column  run             text    id      name of the run
-- column  kind            text    name    step or batch; null when neither has a duration
-- column  mode            text    name    train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  steps           bigint  count   steps of the main mode, over all processes
-- column  dur_p50         double  ns      median
-- column  total           bigint  ns      time that the ratios of the row are a share of
-- column  first_rank      bigint  id      rank of the process with the longest first step; null when unknown
-- column  first_number    bigint  id      number of its first step; null when unknown
-- column  first_steps     bigint  count   its steps
-- column  first_dur       bigint  ns      its first step
-- column  first_p50       double  ns      the median of its steps
-- column  first_relative  double  factor  the first one over the median of the others
-- column  warm            bigint  count   steps at its start of at least twice the median
-- column  warm_extra      bigint  ns      what they took beyond it
-- column  outlier_rank    bigint  id      rank of the process with most outliers; null when unknown
-- column  outlier_steps   bigint  count   its steps
-- column  outliers        bigint  count   its outliers
-- column  outlier_limit   double  ns      duration above which a step of it is one
-- column  outlier_max     bigint  ns      its longest outlier; null without one
-- column  outlier_extra   bigint  ns      what they took beyond its median
-- column  outlier_period  bigint  count   steps from one to the next where that is always the same; null below three outliers
-- column  outlier_start   bigint  count   those among its first steps (`warm`)
-- column  outlier_role    text    name    role that grew most in the outliers; null when unknown
-- column  outlier_share   double  ratio   how much of what they took beyond the others that role is
--
-- cache   large
-- needs   run, object, step_timing, step_breakdown
-- order   run

-- `gap` is the number of steps from one outlier to the next.
WITH followed AS (
  SELECT
    *,
    CASE WHEN outlier THEN number - lag(number) OVER (PARTITION BY run, node, rank, object, outlier ORDER BY number) END AS gap
  FROM step_timing
),

processes AS (
  SELECT
    run,
    node,
    rank,
    object,
    count(*) AS steps,
    sum(dur) AS total,
    min(CASE WHEN position = 1 THEN number END) AS first_number,
    min(CASE WHEN position = 1 THEN dur END) AS first_dur,
    min(dur_p50) AS dur_p50,
    min(CASE WHEN position = 1 THEN dur / nullif(dur_p50, 0) END) AS first_relative,
    coalesce(TRY_CAST(min(calm) AS bigint) - 1, count(*)) AS warm,
    TRY_CAST(round(coalesce(sum(dur - dur_p50) FILTER (WHERE position < calm), 0)) AS bigint) AS warm_extra,
    count(*) FILTER (WHERE outlier) AS outliers,
    count(*) FILTER (WHERE outlier AND position < calm) AS outlier_start,
    min(dur_mean + 3 * dur_std) AS outlier_limit,
    max(CASE WHEN outlier THEN dur END) AS outlier_max,
    TRY_CAST(round(coalesce(sum(dur - dur_p50) FILTER (WHERE outlier), 0)) AS bigint) AS outlier_extra,
    CASE WHEN count(gap) > 1 AND min(gap) = max(gap) AND min(gap) > 0 THEN min(gap) END AS period
  FROM followed
  GROUP BY run, node, rank, object
),

ranked AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY run ORDER BY first_relative DESC NULLS LAST, rank, node, object) AS first_place,
    row_number() OVER (PARTITION BY run ORDER BY outliers DESC, outlier_max DESC NULLS LAST, rank, node, object)
      AS outlier_place,
    sum(steps) OVER (PARTITION BY run) AS run_steps,
    avg(total) OVER (PARTITION BY run) AS run_total
  FROM processes
),

whole AS (
  SELECT run, min(kind) AS kind, min(mode) AS mode, median(CAST(dur AS double)) AS dur_p50
  FROM step_timing
  GROUP BY run
),

-- The time of each role in outliers and in other steps.
compared AS (
  SELECT
    b.run,
    unnest(['kernels', 'copies', 'communication', 'calls into the runtime', 'waiting for data', 'work of the host']) AS role,
    unnest([b.kernel, b.memcpy + b.memset, b.communication, b.runtime, b.exposed_loader, b.cpu]) AS value,
    b.dur,
    m.outlier
  FROM step_breakdown AS b
  JOIN step_timing AS m
    ON
      m.run = b.run
      AND (m.node IS NOT DISTINCT FROM b.node)
      AND (m.rank IS NOT DISTINCT FROM b.rank)
      AND m.span = b.span
      AND (m.mode IS NOT DISTINCT FROM b.mode)
      AND m.number = b.step
      AND m.ts = b.ts
  WHERE b.run IN (SELECT DISTINCT run FROM object WHERE format IN ('kineto', 'nsys'))
),

grown AS (
  SELECT
    run,
    role,
    avg(value) FILTER (WHERE outlier) - avg(value) FILTER (WHERE NOT outlier) AS more,
    avg(dur) FILTER (WHERE outlier) - avg(dur) FILTER (WHERE NOT outlier) AS longer
  FROM compared
  GROUP BY run, role
),

blamed AS (
  SELECT run, role, more / longer AS share, row_number() OVER (PARTITION BY run ORDER BY more DESC, role) AS position
  FROM grown
  WHERE more > 0 AND longer > 0
)

SELECT
  r.run,
  w.kind,
  w.mode,
  TRY_CAST(f.run_steps AS bigint) AS steps,
  w.dur_p50,
  TRY_CAST(round(f.run_total) AS bigint) AS total,
  f.rank AS first_rank,
  f.first_number,
  f.steps AS first_steps,
  f.first_dur,
  CAST(f.dur_p50 AS double) AS first_p50,
  CAST(f.first_relative AS double) AS first_relative,
  f.warm,
  f.warm_extra,
  o.rank AS outlier_rank,
  o.steps AS outlier_steps,
  o.outliers,
  o.outlier_limit,
  o.outlier_max,
  o.outlier_extra,
  o.period AS outlier_period,
  o.outlier_start,
  CASE WHEN o.outliers > 0 THEN b.role END AS outlier_role,
  CASE WHEN o.outliers > 0 THEN b.share END AS outlier_share
FROM run AS r
LEFT JOIN whole AS w ON w.run = r.run
LEFT JOIN ranked AS f ON f.run = r.run AND f.first_place = 1
LEFT JOIN ranked AS o ON o.run = r.run AND o.outlier_place = 1
LEFT JOIN blamed AS b ON b.run = r.run AND b.position = 1
ORDER BY r.run
