-- What changed between two runs or groups of runs, and by how much?
--
-- Everything that `change.steps`, `change.roles`, `change.measures` and `change.work` compare, in one answer: first what is no part of a step,
-- then what adds most to a step, and last what became faster. Of operators and kernels those with the greatest changes.
-- The rows of steps, of roles, of operators and of kernels look at the same time in four ways: add up those of one subject only.
--
-- `a` and `b` are lists of runs, compared as two groups; without `b` every run is compared with side a by itself, and with `a_span`
-- and `b_span` two recordings of a run.
-- `change.steps` says what the intervals hold.
--
-- empty   the two sides have nothing in common that can be compared
--
-- param   a           text[] = null     runs of side a, what was; null for those of side b
-- param   b           text[] = null     runs of side b, what is, taken together; null for each run by itself
-- param   noise       double = 0.005    standard deviation between runs of the same code, over the value
-- param   confidence  double = 0.95     how often such intervals hold the true ratio
-- param   a_span      bigint = null     only this recording of the runs of side a; null for all
-- param   b_span      bigint = null     the same of side b
-- param   top         bigint >= 0 = 20  operators and kernels of each run with the greatest changes
--
-- column  run           text     id      what is compared: the run, or the names of all runs of side b
-- column  subject       text     name    step, role, loader, utilization, memory, operator or kernel
-- column  name          text     name    mode, role, quantity, device, operator or kernel
-- column  statistic     text     name    p50, p95, mean, max or sum
-- column  unit          text     name    unit of `a`, `b` and `change`, as recorded
-- column  a             double   mixed   value of side a, in the unit of column unit; null where it has none
-- column  b             double   mixed   the same of side b
-- column  change        double   mixed   `b` less `a`
-- column  ratio         double   factor  `b` over `a`; null unless both are positive
-- column  low           double   factor  lower end of the interval of `ratio`; null when unknown
-- column  high          double   factor  upper end of it
-- column  significant   boolean  flag    whether the interval leaves out 1; null when unknown
-- column  contribution  double   ns      what the change adds to a step; null of what is no part of a step
-- column  kind          text     name    added, gone, slower, faster (more and less of what is no time), or same when it may be noise
-- column  runs_a        bigint   count   runs of side a with values
-- column  runs_b        bigint   count   the same of side b
--
-- needs   change_row
-- order   run, contribution desc, subject, name, statistic, unit
-- source  kineto, nsys, sagemaker_framework, sagemaker_system, recorder

WITH ranked AS (
  SELECT *, row_number() OVER (PARTITION BY run, subject ORDER BY abs(contribution) DESC, name, statistic) AS place
  FROM change_row($a, $b, $noise, $confidence, $a_span, $b_span)
)

SELECT
  run,
  subject,
  name,
  statistic,
  unit,
  a,
  b,
  change,
  ratio,
  low,
  high,
  significant,
  contribution,
  kind,
  runs_a,
  runs_b
FROM ranked
WHERE subject NOT IN ('operator', 'kernel') OR place <= $top
ORDER BY run, contribution DESC, subject, name, statistic, unit
