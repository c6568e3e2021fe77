-- Which operators and kernels take more or less of the time of a step?
--
-- One row per operator, with its host time without the calls inside it. One row per kernel or copy, with its time on the devices. Both
-- times are summed and divided by the number of steps. `a` and `b` are lists of runs, which the query compares as two groups. Without `b`,
-- it compares each run by itself with side a. With `a_span` and `b_span`, it compares two recordings of a run.
--
-- Each run has one value. The interval therefore covers the noise between runs, but not the variation within a run (`change.steps`).
--
-- empty   one side has neither operators nor kernels; record a trace of the PyTorch profiler or an export of Nsight Systems
--
-- param   a           text[] in run = null   runs of side a, the baseline; null for the runs of side b
-- param   b           text[] in run = null   runs of side b, the candidates, taken together; null for each run by itself
-- param   noise       double in 0.. = 0.005  standard deviation between runs of the same code, relative to the value
-- param   confidence  double in 0..1 = 0.95  share of such intervals that contain the true ratio
-- param   a_span      bigint = null          only this recording of the runs of side a; null for all
-- param   b_span      bigint = null          only this recording of the runs of side b; null for all
--
-- column  run           text     id      what is compared: the run, or the names of all runs of side b
-- column  subject       text     name    operator or kernel
-- column  name          text     name    name of the operator or kernel
-- column  statistic     text     name    sum over a step
-- column  unit          text     name    unit as recorded
-- column  a             double   mixed   value of side a, in the unit of column unit; null where it has none
-- column  b             double   mixed   the same of side b
-- column  change        double   mixed   `b` less `a`
-- column  ratio         double   factor  `b` over `a`; null unless both are positive
-- column  low           double   factor  lower end of the interval of `ratio`; null when unknown
-- column  high          double   factor  upper end of it
-- column  significant   boolean  flag    whether the interval leaves out 1; null when unknown
-- column  contribution  double   ns      what the change adds to a step; null if it is not a part of a step
-- column  kind          text     name    added, gone, slower, faster, same when it may be noise, or unknown with too few values
-- column  runs_a        bigint   count   runs of side a with values
-- column  runs_b        bigint   count   the same of side b
--
-- needs   change_row
-- order   run, contribution desc, subject, name
-- source  kineto, nsys, sagemaker_framework

SELECT *
FROM change_row($a, $b, $noise, $confidence, $a_span, $b_span)
WHERE subject IN ('operator', 'kernel')
ORDER BY run, contribution DESC, subject, name
