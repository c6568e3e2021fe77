-- How much do the two sides of a comparison differ, and is the difference more than noise?
--
-- One row per compared item (`change_sample`) and statistic. If a side has several runs, its value is the mean over the runs that have one.
-- `low` and `high` are the ends of an interval for the ratio (`ratio_interval`), with the given `confidence`.
--
-- Excluded: subjects without any value on one of the sides, for example because its profiler does not record them.
--
-- param   a           text[] in run = null   runs of side a (baseline); null for the runs of side b
-- param   b           text[] in run = null   runs of side b (candidate), compared as one group; null for each run by itself
-- param   noise       double in 0.. = 0.005  standard deviation between runs of the same code, relative to the value
-- param   confidence  double in 0..1 = 0.95  share of such intervals that contain the true ratio
-- param   a_span      bigint = null          only this recording of the runs of side a; null for all
-- param   b_span      bigint = null          only this recording of the runs of side b; null for all
--
-- column  run           text     id      what is compared: the run, or the names of all runs of side b
-- column  subject       text     name    step, role, loader, utilization, memory, operator or kernel
-- column  name          text     name    mode, role, quantity, device, operator or kernel
-- column  statistic     text     name    p50, p95, mean, max or sum
-- column  unit          text     name    unit as recorded
-- column  a             double   mixed   value of side a, in the unit of column unit; null where it has none
-- column  b             double   mixed   the same of side b
-- column  change        double   mixed   `b` less `a`
-- column  ratio         double   factor  `b` over `a`; null unless both are positive
-- column  low           double   factor  lower end of the interval of `ratio`; null when unknown
-- column  high          double   factor  upper end of it
-- column  significant   boolean  flag    whether the interval leaves out 1; null when unknown
-- column  contribution  double   ns      what the change adds to a step; null if it is not a part of a step
-- column  kind          text     name    added, gone, slower, faster (more or less if it is not a time), same when it may be noise, or unknown with too few values
-- column  runs_a        bigint   count   runs of side a with values
-- column  runs_b        bigint   count   the same of side b
--
-- needs   change_sample
-- order   run, subject, name, statistic, unit
-- source  kineto, nsys, sagemaker_framework, sagemaker_system

WITH listed AS (
  SELECT run, side, source_run, subject, name, unit, array_agg(value) AS of_run
  FROM change_sample($a, $b, $a_span, $b_span)
  GROUP BY run, side, source_run, subject, name, unit
),

sided AS (
  SELECT
    run,
    subject,
    name,
    unit,
    array_agg(of_run) FILTER (WHERE side = 'a') AS of_a,
    array_agg(of_run) FILTER (WHERE side = 'b') AS of_b,
    count(*) FILTER (WHERE side = 'a') AS runs_a,
    count(*) FILTER (WHERE side = 'b') AS runs_b,
    sum(count(*) FILTER (WHERE side = 'a')) OVER (PARTITION BY run, subject) AS all_a,
    sum(count(*) FILTER (WHERE side = 'b')) OVER (PARTITION BY run, subject) AS all_b
  FROM listed
  GROUP BY run, subject, name, unit
),

-- If a subject has one value per run, `taken` is max, which returns this value.
compared AS (
  SELECT s.*, t.statistic, ratio_interval(s.of_a, s.of_b, t.taken, $noise, $confidence) AS r
  FROM sided AS s
  JOIN (
    VALUES
    ('step', 'p50', 'p50'),
    ('step', 'p95', 'p95'),
    ('step', 'mean', 'mean'),
    ('role', 'mean', 'mean'),
    ('loader', 'mean', 'max'),
    ('utilization', 'mean', 'max'),
    ('memory', 'max', 'max'),
    ('operator', 'sum', 'max'),
    ('kernel', 'sum', 'max')
  ) AS t (subject, statistic, taken) ON t.subject = s.subject
  WHERE s.all_a > 0 AND s.all_b > 0
),

-- A missing time of a role, operator or kernel counts as 0. A mode without steps has no duration, so its change is null.
differing AS (
  SELECT
    *,
    CASE
      WHEN subject IN ('role', 'operator', 'kernel') THEN coalesce(r['b'], 0) - coalesce(r['a'], 0)
      ELSE r['b'] - r['a']
    END AS change,
    coalesce(r['a'], 0) > 0 AS in_a,
    coalesce(r['b'], 0) > 0 AS in_b
  FROM compared
)

SELECT
  run,
  subject,
  name,
  statistic,
  unit,
  r['a'] AS a,
  r['b'] AS b,
  change,
  r['ratio'] AS ratio,
  r['low'] AS low,
  r['high'] AS high,
  r['significant'] AS significant,
  CASE WHEN subject IN ('step', 'role', 'operator', 'kernel') THEN change END AS contribution,
  CASE
    WHEN in_b AND NOT in_a THEN 'added'
    WHEN in_a AND NOT in_b THEN 'gone'
    WHEN r['significant'] AND r['ratio'] > 1 THEN CASE WHEN unit = 'ns' THEN 'slower' ELSE 'more' END
    WHEN r['significant'] AND r['ratio'] < 1 THEN CASE WHEN unit = 'ns' THEN 'faster' ELSE 'less' END
    WHEN r['significant'] IS NULL AND change <> 0 THEN 'unknown'
    ELSE 'same'
  END AS kind,
  runs_a,
  runs_b
FROM differing
ORDER BY run, subject, name, statistic, unit
