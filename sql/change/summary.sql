-- Are the steps of one side longer than those of the other, and which part of a step explains it?
--
-- One row per comparison, with a sentence. It compares the mean step, of mode train if both sides have it, else of the mode with the longest
-- steps (`change.steps`). The two roles with the largest changes in the same direction explain it (`change.roles`), if each is at least a
-- tenth of the change, and both together are half of it to 1.2 times as much.
--
-- `a` and `b` are lists of runs, which the query compares as two groups. Without `b`, it compares each run by itself with side a. With
-- `a_span` and `b_span`, it compares two recordings of a run. `change.steps` explains the intervals.
--
-- empty   the two sides have no common quantity to compare
--
-- param   a           text[] in run = null   runs of side a, the baseline; null for the runs of side b
-- param   b           text[] in run = null   runs of side b, the candidates, taken together; null for each run by itself
-- param   noise       double in 0.. = 0.005  standard deviation between runs of the same code, relative to the value
-- param   confidence  double in 0..1 = 0.95  share of such intervals that contain the true ratio
-- param   a_span      bigint = null          only this recording of the runs of side a; null for all
-- param   b_span      bigint = null          only this recording of the runs of side b; null for all
--
-- column  run          text     id      what is compared: the run, or the names of all runs of side b
-- column  baseline     text     id      the runs of side a
-- column  sentence     text     text    whether the steps are longer or shorter, by how much, and what explains it
-- column  ratio        double   factor  mean step of side b over that of side a; null if a side has no steps
-- column  low          double   factor  lower end of the interval of `ratio`; null when unknown
-- column  high         double   factor  upper end of it
-- column  significant  boolean  flag    whether the interval leaves out 1; null when unknown
--
-- needs   change_row
-- order   run
-- source  kineto, nsys, sagemaker_framework, sagemaker_system, recorder, loader_timings

WITH changes AS (
  SELECT *
  FROM change_row($a, $b, $noise, $confidence, $a_span, $b_span)
),

steps AS (
  SELECT *
  FROM changes
  WHERE subject = 'step' AND statistic = 'mean' AND change IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY CASE name WHEN 'train' THEN 0 ELSE 1 END, a DESC, name) = 1
),

roles AS (
  SELECT
    r.run,
    r.name || CASE WHEN r.contribution > 0 THEN ' +' ELSE ' ' END || format_amount(r.contribution, 'ns') AS part,
    r.contribution / s.change AS ratio,
    row_number() OVER (PARTITION BY r.run ORDER BY abs(r.contribution) DESC, r.name) AS position
  FROM changes AS r
  JOIN steps AS s ON s.run = r.run
  WHERE r.subject = 'role' AND r.contribution / nullif(s.change, 0) >= 0.1
),

explained AS (
  SELECT
    run,
    string_agg(part, ' and ' ORDER BY position) || ' a step ' || CASE count(*) WHEN 1 THEN 'explains it' ELSE 'explain it' END AS parts
  FROM roles
  WHERE position <= 2
  GROUP BY run
  HAVING sum(ratio) BETWEEN 0.5 AND 1.2
),

compared AS (
  SELECT
    run,
    coalesce(array_to_string($a, ', '), run) AS baseline,
    CASE WHEN cardinality($b) > 1 THEN 'the group of ' || cardinality($b) || ' runs' ELSE run END
    || coalesce(' (recording ' || $b_span || ')', '') AS name_b,
    CASE WHEN cardinality($a) > 1 THEN 'the group of ' || cardinality($a) || ' runs' ELSE coalesce($a[1], run) END
    || coalesce(' (recording ' || $a_span || ')', '') AS name_a
  FROM changes
  GROUP BY run
),

worded AS (
  SELECT
    c.run,
    c.baseline,
    c.name_a,
    c.name_b,
    s.ratio,
    s.low,
    s.high,
    s.significant,
    'mean step ' || format_amount(s.a, 'ns') || ' to ' || format_amount(s.b, 'ns') AS durations,
    regexp_replace(round($confidence * 100, 1) || ' % CI ', '[.]0 ', ' ')
    || CASE WHEN s.ratio >= 1 THEN format_amount(s.low, 'factor') || ' to ' || format_amount(s.high, 'factor')
    ELSE format_amount(1 / s.high, 'factor') || ' to ' || format_amount(1 / s.low, 'factor') END AS bounds,
    CASE WHEN s.ratio >= 1 THEN format_amount(s.ratio, 'factor') || 'x slower' ELSE format_amount(1 / s.ratio, 'factor') || 'x faster' END AS change,
    e.parts
  FROM compared AS c
  LEFT JOIN steps AS s ON s.run = c.run
  LEFT JOIN explained AS e ON e.run = c.run
)

SELECT
  run,
  baseline,
  CASE
    WHEN ratio IS NULL THEN name_b || ' and ' || name_a || ' have no steps in common'
    WHEN significant THEN name_b || ' is ' || change || ' than ' || name_a || ' (' || durations || ', ' || bounds || ')' || coalesce('; ' || parts, '')
    WHEN ratio = 1 THEN name_b || ' is as fast as ' || name_a || ' (' || durations || ')'
    WHEN significant IS NULL
      THEN 'unknown whether ' || name_b || ' is slower or faster than ' || name_a || ': too few steps (' || durations || ')'
    ELSE
      name_b || ' is not clearly slower or faster than ' || name_a || ': the difference may be noise (' || durations || ', ' || bounds || ')'
  END AS sentence,
  ratio,
  low,
  high,
  significant
FROM worded
ORDER BY run
