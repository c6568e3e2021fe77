-- When was a GPU idle while a core was busy?
--
-- One row per snapshot of a machine (view `system_snapshot`: measurements within 20 ms) in which the utilization of at least one GPU was at
-- most `gpu` and that of at least one core was above `cpu`. A core at its limit next to an idle GPU is a sign that preprocessing, or the
-- Python code that launches the work, cannot keep up. `utilization.gpu_load` has the share of such samples.
--
-- smdebug's rule CPUBottleneck requires a utilization below `gpu`. It reports the same snapshots if no value equals the limit.
--
-- empty   no GPU was idle while a core was busy, or GPUs or cores were not sampled (`utilization.summary` shows which)
--
-- param   gpu  double in 0..1 = 0.1  utilization up to which a GPU is idle
-- param   cpu  double in 0..1 = 0.9  utilization above which a core is busy
--
-- column  run              text    id     name of the run
-- column  node             text    id     machine
-- column  ts               bigint  time   first sample of the snapshot
-- column  gpus             bigint  count  GPUs that were idle
-- column  cores            bigint  count  cores that were busy
-- column  gpu_utilization  double  ratio  mean share of time in which the GPU was busy; of the least busy GPU
-- column  cpu_utilization  double  ratio  utilization of the busiest core
--
-- needs   idle_snapshot
-- order   run, node, ts
-- source  sagemaker_system

SELECT * EXCLUDE (core_load), core_load AS cpu_utilization
FROM idle_snapshot('utilization', $gpu, $cpu)
ORDER BY run, node, ts
