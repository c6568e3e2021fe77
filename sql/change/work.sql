-- Which operators and kernels take more or less of a step?
--
-- One row per operator, with its host time without what ran inside, and per kernel or copy, with its time on the devices: both summed
-- up and divided by the number of steps. `a` and `b` are lists of runs, compared as two groups; without `b`
-- every run is compared with side a by itself, and with `a_span` and `b_span` two recordings of a run.
-- There is one value in a run: that it scatters within the run is not in the interval, only the noise between runs (`change.steps`).
--
-- empty   a side has neither operators nor kernels: only traces of the PyTorch profiler have them
--
-- param   a           text[] = null   runs of side a, what was; null for those of side b
-- param   b           text[] = null   runs of side b, what is, taken together; null for each run by itself
-- param   noise       double = 0.005  standard deviation between runs of the same code, over the value
-- param   confidence  double = 0.95   how often such intervals hold the true ratio
-- param   a_span      bigint = null   only this recording of the runs of side a; null for all
-- param   b_span      bigint = null   the same of side b
--
-- column  run           text     id      what is compared: the run, or the names of all runs of side b
-- column  subject       text     name    operator or kernel
-- column  name          text     name    name of the operator or kernel
-- column  statistic     text     name    sum over a step
-- column  unit          text     name    unit of `a`, `b` and `change`, as recorded
-- column  a             double   mixed   value of side a, in the unit of column unit; null where it has none
-- column  b             double   mixed   the same of side b
-- column  change        double   mixed   `b` less `a`
-- column  ratio         double   factor  `b` over `a`; null unless both are positive
-- column  low           double   factor  lower end of the interval of `ratio`; null when unknown
-- column  high          double   factor  upper end of it
-- column  significant   boolean  flag    whether the interval leaves out 1; null when unknown
-- column  contribution  double   ns      what the change adds to a step; null of what is no part of a step
-- column  kind          text     name    added, gone, slower, faster, or same when it may be noise
-- column  runs_a        bigint   count   runs of side a with values
-- column  runs_b        bigint   count   the same of side b
--
-- needs   change_row
-- order   run, contribution desc, subject, name
-- source  kineto, nsys

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
FROM change_row($a, $b, $noise, $confidence, $a_span, $b_span)
WHERE subject IN ('operator', 'kernel')
ORDER BY run, contribution DESC, subject, name
