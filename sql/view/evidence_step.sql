-- How long were the steps of each run: usual, first, and unusual ones?
--
-- One row per run. Steps are those of the main mode (train if there is any, else the mode that most time went into); where a run has
-- none, the work on each batch that a loop kept (`compute` of `loader_batch`) stands for them, and `kind` says so. The first steps are
-- those of the process whose first step was the longest by its own median: `warm` of them in a row lasted at least twice the median.
-- Outliers lasted more than 3 standard deviations (of the population) above the mean of their process, as in smdebug's StepOutlier;
-- they are those of the process that has most. What they had more of than other steps is the role of `step.breakdown` that grew most.
--
-- Both limits tell single steps, of which a run keeps counts and sums: they are no parameters of the findings. `rules.step_outlier` and `step.outliers`
-- answer for others.
--
-- Left out: steps that a recording cut short. Nulls where nothing is known.
--
-- column  run             text    id      run
-- column  kind            text    name    step or batch; null when neither has a duration
-- column  mode            text    name    main mode; null when the profiler did not say
-- column  steps           bigint  count   steps of the main mode, over all processes
-- column  dur_p50         double  ns      median of them
-- column  total           bigint  ns      their durations together, mean over the processes
-- column  first_rank      bigint  id      rank of the process with the longest first step; null when unknown
-- column  first_number    bigint  id      number of its first step; null when unknown
-- column  first_steps     bigint  count   its steps
-- column  first_dur       bigint  ns      its first step
-- column  first_p50       double  ns      the median of its steps
-- column  first_relative  double  factor  `first_dur` over that
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
-- column  outlier_role    text    name    role of which the outliers had most more than other steps; null when nothing tells
-- column  outlier_share   double  ratio   how much of what they took beyond the others that role is
--
-- cache   large
-- needs   run, object, step_timing, step_breakdown
-- order   run

WITH processes AS (
  SELECT
    run,
    node,
    rank,
    object,
    count(*) AS steps,
    sum(dur) AS total,
    min(CASE WHEN place = 1 THEN number END) AS first_number,
    min(CASE WHEN place = 1 THEN dur END) AS first_dur,
    min(p50) AS p50,
    min(CASE WHEN place = 1 THEN dur / nullif(p50, 0) END) AS first_relative,
    coalesce(TRY_CAST(min(calm) AS bigint) - 1, count(*)) AS warm,
    CAST(round(coalesce(sum(dur - p50) FILTER (WHERE place < calm), 0)) AS bigint) AS warm_extra,
    count(*) FILTER (WHERE outlier) AS outliers,
    count(*) FILTER (WHERE outlier AND place < calm) AS outlier_start,
    min(mean + 3 * std) AS outlier_limit,
    max(CASE WHEN outlier THEN dur END) AS outlier_max,
    TRY_CAST(round(coalesce(sum(dur - p50) FILTER (WHERE outlier), 0)) AS bigint) AS outlier_extra
  FROM step_timing
  GROUP BY run, node, rank, object
),

-- From one outlier to the next.
gaps AS (
  SELECT
    run,
    node,
    rank,
    object,
    number - lag(number) OVER (PARTITION BY run, node, rank, object ORDER BY number) AS gap
  FROM step_timing
  WHERE outlier
),

periods AS (
  SELECT run, node, rank, object, min(gap) AS period
  FROM gaps
  GROUP BY run, node, rank, object
  HAVING count(gap) > 1 AND min(gap) = max(gap) AND min(gap) > 0
),

ranked AS (
  SELECT
    p.*,
    q.period,
    row_number() OVER (PARTITION BY p.run ORDER BY p.first_relative DESC NULLS LAST, p.rank, p.node, p.object) AS first_place,
    row_number() OVER (PARTITION BY p.run ORDER BY p.outliers DESC, p.outlier_max DESC NULLS LAST, p.rank, p.node, p.object)
      AS outlier_place,
    sum(p.steps) OVER (PARTITION BY p.run) AS run_steps,
    avg(p.total) OVER (PARTITION BY p.run) AS run_total
  FROM processes AS p
  LEFT JOIN periods AS q
    ON
      q.run = p.run
      AND (q.node IS NOT DISTINCT FROM p.node)
      AND (q.rank IS NOT DISTINCT FROM p.rank)
      AND (q.object IS NOT DISTINCT FROM p.object)
),

whole AS (
  SELECT run, min(kind) AS kind, min(mode) AS mode, median(CAST(dur AS double)) AS dur_p50
  FROM step_timing
  GROUP BY run
),

traced AS (
  SELECT DISTINCT run
  FROM object
  WHERE format IN ('kineto', 'nsys')
),

-- The roles of outliers and of other steps.
compared AS (
  SELECT
    b.run,
    unnest(['kernels', 'copies', 'communication', 'calls into the runtime', 'waiting for data', 'work of the host']) AS role,
    unnest([b.kernel, b.memcpy + b.memset, b.communication, b.runtime, b.loader, b.cpu]) AS value,
    b.dur,
    m.outlier
  FROM step_breakdown AS b
  JOIN traced AS t ON t.run = b.run
  JOIN step_timing AS m
    ON
      m.run = b.run
      AND (m.node IS NOT DISTINCT FROM b.node)
      AND (m.rank IS NOT DISTINCT FROM b.rank)
      AND m.span = b.span
      AND (m.mode IS NOT DISTINCT FROM b.mode)
      AND m.number = b.step
      AND m.ts = b.ts
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
  SELECT run, role, more / longer AS share, row_number() OVER (PARTITION BY run ORDER BY more DESC, role) AS place
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
  CAST(f.p50 AS double) AS first_p50,
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
LEFT JOIN blamed AS b ON b.run = r.run AND b.place = 1
ORDER BY r.run
