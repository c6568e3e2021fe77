-- What changed between two runs or groups of runs, and by how much?
--
-- The rows of `change.steps`, `change.roles`, `change.measures` and `change.work` in one result, those that change a step most first. Rows
-- that are not part of a step come last. Of operators and kernels, only those with the largest changes are shown. `change.summary` has the
-- result in one sentence. The rows of steps, roles, operators and kernels describe the same time in four ways: add up those of one subject only.
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
-- param   top         bigint in 0.. = 20     number of operators and kernels shown per run, those with the largest changes
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
-- column  position      bigint   id      position in its group, from 1
--
-- needs   change_row
-- order   run, position
-- source  kineto, nsys, sagemaker_framework, sagemaker_system, recorder, loader_timings

WITH shown AS (
  SELECT *
  FROM change_row($a, $b, $noise, $confidence, $a_span, $b_span)
  QUALIFY
    subject NOT IN ('operator', 'kernel')
    OR row_number() OVER (PARTITION BY run, subject ORDER BY abs(contribution) DESC, name, statistic) <= $top
)

SELECT
  *,
  CAST(row_number() OVER (
    PARTITION BY run ORDER BY abs(contribution) DESC NULLS LAST, subject, name, statistic, unit
  ) AS bigint) AS position
FROM shown
ORDER BY run, position
