-- Did steps become slower or faster, and is that more than noise?
--
-- One row per mode of the steps and statistic. `change_steps(['before'], ['after'])` compares two runs. `a` and `b` are lists of runs,
-- which the query compares as two groups. Without `b`, it compares each run by itself with side a. With `a_span` and `b_span`, it compares
-- two recordings of a run. For several runs, a value is the mean over the runs. Durations are those of `step.duration`.
--
-- `low` and `high` are the ends of an interval of the ratio, with the given `confidence`. The interval covers two kinds of noise. The first
-- is the variation of the steps within a run, by their order statistics. The second is the noise between runs of the same code. It is
-- estimated from the runs of a side and from `noise`, which counts as if it had been measured on five runs. An end is null if there are too
-- few steps for it: a 95th percentile needs about 73. A change is `significant` if the interval excludes 1.
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
-- column  subject       text     name    step
-- column  name          text     name    mode of the steps; step when the profiler did not say
-- column  statistic     text     name    p50, p95 or mean
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
-- order   run, name, statistic
-- source  sagemaker_framework, kineto, nsys, loader_timings, recorder

SELECT *
FROM change_row($a, $b, $noise, $confidence, $a_span, $b_span)
WHERE subject = 'step'
ORDER BY run, name, statistic
