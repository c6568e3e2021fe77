-- Were GPUs idle while cores waited for disks or network?
--
-- smdebug's rule IOBottleneck, over the whole run. One row per run. A snapshot of a machine (view `system_extreme`) is a violation when its
-- least busy GPU is below `gpu_threshold` and the core that waits most is above `io_threshold`. The rule is triggered when there are more
-- than `patience` snapshots and more than `threshold` percent of them are violations. `utilization.io_bottleneck` lists such snapshots.
--
-- `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's package), docs (AWS's
-- guide of 2023) or reported (the run's own report, or history where it has no limit).
--
-- smdebug counts a snapshot on the border of two of its windows twice, and no snapshot of the last minute.
--
-- empty   no machine was sampled (SageMaker Debugger records system metrics), or `defaults` is not history, rulesconfig, docs or reported
--
-- param   defaults       text in history|rulesconfig|docs|reported = 'history'  source of the default limits (see above)
-- param   threshold      double = null                                          percent of violations above which the rule is triggered; null for the published limit
-- param   gpu_threshold  double = null                                          percent below which a GPU is idle; null for the published limit
-- param   io_threshold   double = null                                          percent above which a core waits; null for the published limit
-- param   patience       bigint in 0.. = null                                   the rule needs more snapshots than this; null for the published limit
--
-- column  run              text     id     name of the run
-- column  triggered        boolean  flag   whether the rule is triggered
-- column  violations       bigint   count  snapshots with an idle GPU next to a core that waits
-- column  datapoints       bigint   count  snapshots, those of all machines
-- column  low_gpu          bigint   count  snapshots with an idle GPU
-- column  violation_ratio  double   ratio  violations among the snapshots
-- column  first_ts         bigint   time   first violation
-- column  last_ts          bigint   time   last violation
-- column  parameters       text     json   limits that were used
--
-- needs   rule_bottleneck
-- order   run
-- source  sagemaker_system, nsys

SELECT *
FROM rule_bottleneck('IOBottleneck', $defaults, $threshold, $gpu_threshold, $io_threshold, $patience)
ORDER BY run
