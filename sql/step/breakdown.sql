-- Where did the time of each step go: device, communication, data loading, host?
--
-- One row per step of a rank. Every moment of the step counts for the first of eight roles that had work then, in the order of the columns.
-- The eight columns therefore add up to `dur` exactly. View `step_role` defines each role. For a GPU job, `exposed_loader_ratio` is the
-- share of the step in which the device was idle while the process waited for data.
--
-- A step is what the profiler marked on the host. With `extended`, it lasts until the last device work that it launched has ended, as in
-- the overview of the TensorBoard plugin (view `step_extent`). A recording without step marks is one step without a number. Steps that a
-- recording cut short are included and marked.
--
-- The ratio is null for runs with device work that could not be read (view `unread_device`).
--
-- empty   there are no steps; SageMaker's hook records steps, and in a trace `prof.step()` or your step_annotation marks them
--
-- param   extended  boolean = false  whether a step lasts until the device work that it launched has ended
--
-- column  run                   text     id     name of the run
-- column  node                  text     id     machine
-- column  rank                  bigint   id     global rank of the process; null when unknown
-- column  span                  bigint   id     recording of the process within the run, from 0
-- column  mode                  text     name   train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  step                  bigint   id     step number as the profiler wrote it; null for a recording without steps
-- column  ts                    bigint   time   start
-- column  dur                   bigint   ns     duration
-- column  kernel                bigint   ns     time in which a kernel ran
-- column  memcpy                bigint   ns     time in which a copy ran, and none of the roles before
-- column  memset                bigint   ns     time in which a fill ran, and none of the roles before
-- column  communication         bigint   ns     time in which a collective ran; and no role before it was active
-- column  runtime               bigint   ns     a call into runtime or driver ran, and none of the roles before
-- column  exposed_loader        bigint   ns     time in which the process only waited for the data loader; no role before it was active
-- column  cpu                   bigint   ns     the host computed, and none of the roles before
-- column  other                 bigint   ns     none of them
-- column  exposed_loader_ratio  double   ratio  `exposed_loader` over the time of the steps
-- column  complete              boolean  flag   false when the recording ended inside the step
--
-- needs   step_role, unread_device
-- order   run, node, rank, span, ts
-- source  kineto, nsys, sagemaker_framework

SELECT
  r.* EXCLUDE (extended),
  CASE WHEN u.run IS NULL THEN CAST(r.exposed_loader AS double) / nullif(r.dur, 0) END AS exposed_loader_ratio
FROM step_role AS r
LEFT JOIN unread_device AS u ON u.run = r.run
WHERE r.extended = $extended
ORDER BY run, node, rank, span, ts
