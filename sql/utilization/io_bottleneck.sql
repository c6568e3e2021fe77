-- When was a GPU idle while a core waited for disks or network?
--
-- One row per snapshot of a machine (view `system_snapshot`: measurements within 20 ms) in which the utilization of at least one GPU was at
-- most `gpu` and the I/O wait of at least one core was above `io`. A core that waits next to an idle GPU is a sign that storage cannot keep
-- up. `utilization.gpu_load` has the share of such samples.
--
-- smdebug's rule IOBottleneck requires a utilization below `gpu`. It reports the same snapshots if no value equals the limit.
--
-- empty   no GPU was idle while a core waited, or GPUs or cores were not sampled (`utilization.summary` shows which)
--
-- param   gpu  double in 0..1 = 0.1  utilization up to which a GPU is idle
-- param   io   double in 0..1 = 0.5  share of I/O wait above which a core waits
--
-- column  run              text    id     name of the run
-- column  node             text    id     machine
-- column  ts               bigint  time   first sample of the snapshot
-- column  gpus             bigint  count  GPUs that were idle
-- column  cores            bigint  count  cores that waited
-- column  gpu_utilization  double  ratio  mean share of time in which the GPU was busy; of the least busy GPU
-- column  io_wait          double  ratio  I/O wait of the core that waited most
--
-- needs   idle_snapshot
-- order   run, node, ts
-- source  sagemaker_system

SELECT * EXCLUDE (core_load), core_load AS io_wait
FROM idle_snapshot('iowait', $gpu, $io)
ORDER BY run, node, ts
