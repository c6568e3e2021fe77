-- Did waiting for data, the load of the machines or the need for memory change?
--
-- One row per quantity: the share of time that processes waited for data (`job.key_figures`), means of what the machines measured
-- of cores, GPUs, memory, disks and network, and the greatest memory in use on each device. `a` and `b` are lists of runs, compared as
-- two groups; without `b` every run is compared with side a by itself, and with `a_span` and
-- `b_span` two recordings of a run.
-- There is one value in a run: that it scatters within the run is not in the interval, only the noise between runs (`change.steps`).
--
-- empty   the two sides have no such quantity in common
--
-- param   a           text[] = null   runs of side a, what was; null for those of side b
-- param   b           text[] = null   runs of side b, what is, taken together; null for each run by itself
-- param   noise       double = 0.005  standard deviation between runs of the same code, over the value
-- param   confidence  double = 0.95   how often such intervals hold the true ratio
-- param   a_span      bigint = null   only this recording of the runs of side a; null for all
-- param   b_span      bigint = null   the same of side b
--
-- column  run           text     id      what is compared: the run, or the names of all runs of side b
-- column  subject       text     name    loader, utilization or memory
-- column  name          text     name    quantity or device
-- column  statistic     text     name    mean or max
-- column  unit          text     name    unit of `a`, `b` and `change`, as recorded
-- column  a             double   mixed   value of side a, in the unit of column unit; null where it has none
-- column  b             double   mixed   the same of side b
-- column  change        double   mixed   `b` less `a`
-- column  ratio         double   factor  `b` over `a`; null unless both are positive
-- column  low           double   factor  lower end of the interval of `ratio`; null when unknown
-- column  high          double   factor  upper end of it
-- column  significant   boolean  flag    whether the interval leaves out 1; null when unknown
-- column  contribution  double   ns      what the change adds to a step; null of what is no part of a step
-- column  kind          text     name    added, gone, more, less, or same when it may be noise
-- column  runs_a        bigint   count   runs of side a with values
-- column  runs_b        bigint   count   the same of side b
--
-- needs   change_row
-- order   run, subject, name, unit
-- source  sagemaker_system, sagemaker_framework, kineto, nsys, recorder

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
WHERE subject IN ('loader', 'utilization', 'memory')
ORDER BY run, subject, name, unit
