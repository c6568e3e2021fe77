-- Which part of a step became slower or faster: device, communication, data loading, host?
--
-- One row per role of `step.breakdown`, with its mean time in a step of a rank. The changes of all roles add up to the change of the mean
-- step. `a` and `b` are lists of runs, which the query compares as two groups. Without `b`, it compares each run by itself with side a.
-- With `a_span` and `b_span`, it compares two recordings of a run.
--
-- Intervals are those of a mean and include the noise between runs that `change.steps` explains. Small roles vary a lot.
--
-- Excluded: steps that a recording cut short.
--
-- empty   one side has no steps; SageMaker's hook records them, and in a trace `prof.step()` or your step_annotation marks them
--
-- param   a           text[] in run = null   runs of side a, the baseline; null for the runs of side b
-- param   b           text[] in run = null   runs of side b, the candidates, taken together; null for each run by itself
-- param   noise       double in 0.. = 0.005  standard deviation between runs of the same code, relative to the value
-- param   confidence  double in 0..1 = 0.95  share of such intervals that contain the true ratio
-- param   a_span      bigint = null          only this recording of the runs of side a; null for all
-- param   b_span      bigint = null          only this recording of the runs of side b; null for all
--
-- column  run           text     id      what is compared: the run, or the names of all runs of side b
-- column  subject       text     name    role
-- column  name          text     name    kernel, memcpy, memset, communication, runtime, loader, cpu or other
-- column  statistic     text     name    mean
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
-- order   run, contribution desc, name
-- source  kineto, nsys, sagemaker_framework, loader_timings, recorder

SELECT *
FROM change_row($a, $b, $noise, $confidence, $a_span, $b_span)
WHERE subject = 'role'
ORDER BY run, contribution DESC, name
