-- Did steps become slower or faster, and is that more than noise?
--
-- One row per mode and statistic of its steps, with the two sides and their ratio. `a` and `b` are lists of runs: of several, a value
-- is the mean over the runs. `change_steps(['before'], ['after'])` compares two runs, `change_steps(['before'])` every run of
-- the lake with one, and with `a_span` and `b_span` two recordings of a run are compared. Durations are those of `step.duration`.
--
-- `low` and `high` are the ends of an interval of the ratio, with `confidence`. Two kinds of noise are in it: the scatter of the steps
-- of a run, by their order statistics, and that between runs of the same code. The latter is taken from the runs of a side, and
-- from `noise`, which counts as if it had been measured on five runs. An end is null where there are too few steps for one: a 95th
-- percentile needs about 73. A change is `significant` when the interval leaves out 1.
--
-- Left out: steps that a recording cut short.
--
-- empty   neither side has steps: SageMaker's hook records them; in a trace `prof.step()` marks them, or your step_annotation
--
-- param   a           text[] = null   runs of side a, what was; null for those of side b
-- param   b           text[] = null   runs of side b, what is, taken together; null for each run by itself
-- param   noise       double = 0.005  standard deviation between runs of the same code, over the value
-- param   confidence  double = 0.95   how often such intervals hold the true ratio
-- param   a_span      bigint = null   only this recording of the runs of side a; null for all
-- param   b_span      bigint = null   the same of side b
--
-- column  run           text     id      what is compared: the run, or the names of all runs of side b
-- column  subject       text     name    step
-- column  name          text     name    mode of the steps; step when the profiler did not say
-- column  statistic     text     name    p50, p95 or mean
-- column  unit          text     name    unit of `a`, `b` and `change`
-- column  a             double   mixed   value of side a, in the unit of column unit; null where it has none
-- column  b             double   mixed   the same of side b
-- column  change        double   mixed   `b` less `a`
-- column  ratio         double   factor  `b` over `a`; null unless both are positive
-- column  low           double   factor  lower end of the interval of `ratio`; null when unknown
-- column  high          double   factor  upper end of it
-- column  significant   boolean  flag    whether the interval leaves out 1; null when unknown
-- column  contribution  double   ns      `change` of a step
-- column  kind          text     name    added, gone, slower, faster or same
-- column  runs_a        bigint   count   runs of side a with values
-- column  runs_b        bigint   count   the same of side b
--
-- needs   change_side, step_span
-- order   run, name, statistic
-- source  sagemaker_framework, kineto

WITH measured AS (
  SELECT s.run, s.side, s.source, coalesce(m.mode, 'step') AS name, array_agg(CAST(m.dur AS double)) AS durs
  FROM step_span AS m
  JOIN change_side($a, $b) AS s ON s.source = m.run
  WHERE
    ($a IS NULL OR $b IS NULL OR array_has(array_concat($a, $b), m.run))
    AND m.dur IS NOT NULL
    AND m.complete IS NOT FALSE
    AND (CASE WHEN s.side = 'a' THEN $a_span ELSE $b_span END IS NULL
      OR m.span = CASE WHEN s.side = 'a' THEN $a_span ELSE $b_span END)
  GROUP BY s.run, s.side, s.source, coalesce(m.mode, 'step')
),

sided AS (
  SELECT
    run,
    name,
    array_agg(durs) FILTER (WHERE side = 'a') AS durs_a,
    array_agg(durs) FILTER (WHERE side = 'b') AS durs_b,
    count(*) FILTER (WHERE side = 'a') AS runs_a,
    count(*) FILTER (WHERE side = 'b') AS runs_b
  FROM measured
  GROUP BY run, name
),

compared AS (
  SELECT *, ratio_interval(durs_a, durs_b, statistic, $noise, $confidence) AS r
  FROM sided
  CROSS JOIN (VALUES ('p50'), ('p95'), ('mean')) AS t (statistic)
)

SELECT
  run,
  'step' AS subject,
  name,
  statistic,
  'ns' AS unit,
  r['a'] AS a,
  r['b'] AS b,
  r['b'] - r['a'] AS change,
  r['ratio'] AS ratio,
  r['low'] AS low,
  r['high'] AS high,
  r['significant'] AS significant,
  r['b'] - r['a'] AS contribution,
  CASE
    WHEN r['a'] IS NULL THEN 'added'
    WHEN r['b'] IS NULL THEN 'gone'
    WHEN r['significant'] AND r['ratio'] > 1 THEN 'slower'
    WHEN r['significant'] AND r['ratio'] < 1 THEN 'faster'
    ELSE 'same'
  END AS kind,
  runs_a,
  runs_b
FROM compared
ORDER BY run, name, statistic
