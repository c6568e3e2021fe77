-- Did the share of time spent waiting for data, the load of the machines or the memory in use change?
--
-- One row per quantity. Quantities are the share of time in which processes waited for data (`job.key_metrics`) and the maximum memory in
-- use on each device. Means of the measurements of cores, GPUs, memory, disks and network are also quantities. `a` and `b` are lists of
-- runs, which the query compares as two groups. Without `b`, it compares each run by itself with side a. With `a_span` and `b_span`, it
-- compares two recordings of a run.
--
-- Each run has one value. The interval therefore covers the noise between runs, but not the variation within a run (`change.steps`).
--
-- empty   no such quantity was recorded on both sides; `tracelake record` records timings of the loader and samples of the machine
--
-- param   a           text[] in run = null   runs of side a, the baseline; null for the runs of side b
-- param   b           text[] in run = null   runs of side b, the candidates, taken together; null for each run by itself
-- param   noise       double in 0.. = 0.005  standard deviation between runs of the same code, relative to the value
-- param   confidence  double in 0..1 = 0.95  share of such intervals that contain the true ratio
-- param   a_span      bigint = null          only this recording of the runs of side a; null for all
-- param   b_span      bigint = null          only this recording of the runs of side b; null for all
--
-- column  run           text     id      what is compared: the run, or the names of all runs of side b
-- column  subject       text     name    loader, utilization or memory
-- column  name          text     name    quantity or device
-- column  statistic     text     name    mean or max
-- column  unit          text     name    unit as recorded
-- column  a             double   mixed   value of side a, in the unit of column unit; null where it has none
-- column  b             double   mixed   the same of side b
-- column  change        double   mixed   `b` less `a`
-- column  ratio         double   factor  `b` over `a`; null unless both are positive
-- column  low           double   factor  lower end of the interval of `ratio`; null when unknown
-- column  high          double   factor  upper end of it
-- column  significant   boolean  flag    whether the interval leaves out 1; null when unknown
-- column  contribution  double   ns      what the change adds to a step; null if it is not a part of a step
-- column  kind          text     name    added, gone, more, less, same when it may be noise, or unknown with too few values
-- column  runs_a        bigint   count   runs of side a with values
-- column  runs_b        bigint   count   the same of side b
--
-- needs   change_row
-- order   run, subject, name, unit
-- source  sagemaker_system, sagemaker_framework, kineto, nsys, recorder, loader_timings

SELECT *
FROM change_row($a, $b, $noise, $confidence, $a_span, $b_span)
WHERE subject IN ('loader', 'utilization', 'memory')
ORDER BY run, subject, name, unit
