-- Where did the time of each step go: device, communication, data loading, host?
--
-- One row per step of a rank. Every moment of the step belongs to the first of eight roles that had work then, in the order of
-- the columns, so that they add up to `dur` exactly. View `step_role` says what each of them is. `loader_ratio` of a GPU job is
-- the part of the step in which the device idled while the process waited for data.
--
-- A step is taken as the profiler marked it on the host, or with `extended` until the last device work that it launched has ended,
-- as the overview of the TensorBoard plugin takes it (view `step_extent`). A recording without step marks is one step without a
-- number. Steps that a recording cut short are kept and marked.
--
-- empty   there are no steps: SageMaker's hook records them; in a trace `prof.step()` marks them, or your step_annotation
--
-- param   extended       boolean = false   whether a step lasts until the device work that it launched has ended
--
-- column  run            text     id     run the step belongs to
-- column  node           text     id     machine
-- column  rank           bigint   id     global rank of the process; null when unknown
-- column  span           bigint   id     recording of the process within the run, from 0
-- column  mode           text     name   train, eval, predict or global; null when the profiler did not say
-- column  step           bigint   id     step number as the profiler wrote it; null for a recording without steps
-- column  ts             bigint   time   start
-- column  dur            bigint   ns     duration
-- column  kernel         bigint   ns     a kernel computed
-- column  memcpy         bigint   ns     a copy ran on a device, and none of the roles before
-- column  memset         bigint   ns     a fill ran on a device, and none of the roles before
-- column  communication  bigint   ns     a collective ran, and none of the roles before
-- column  runtime        bigint   ns     a call into runtime or driver ran, and none of the roles before
-- column  loader         bigint   ns     a data loader was waited for, and none of the roles before
-- column  cpu            bigint   ns     the host computed, and none of the roles before
-- column  other          bigint   ns     none of them
-- column  loader_ratio   double   ratio  `loader` over `dur`
-- column  complete       boolean  flag   false when the recording ended inside the step
--
-- needs   step_role
-- order   run, node, rank, span, ts
-- source  kineto, nsys, sagemaker_framework

SELECT
  run,
  node,
  rank,
  span,
  mode,
  step,
  ts,
  dur,
  kernel,
  memcpy,
  memset,
  communication,
  runtime,
  loader,
  cpu,
  other,
  CAST(loader AS double) / nullif(dur, 0) AS loader_ratio,
  complete
FROM step_role
WHERE extended = $extended
ORDER BY run, node, rank, span, ts
