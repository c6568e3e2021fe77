-- How much device time was idle, and why?
--
-- One row per run and cause. `communication`: only collectives ran. `loader`: the device had no work while its process waited for a batch.
-- `other`: everything else, such as a host that launches too little. `unknown`: idle by samples of its utilization, which do not show the
-- cause. The causes of a run add up to all of its idle time. Each cause is an upper bound. A device may be idle for two reasons at once,
-- and time saved in one place may be spent waiting in the next.
--
-- Times are GPU-seconds: 3600 of them are one GPU-hour. `fleet_s` and `fleet_ratio` are over all runs with known devices and are the same
-- in all rows of a cause. A filter on `run` does not change them.
--
-- Excluded: causes without any time, and runs with neither kernels nor samples of GPU utilization.
--
-- empty   no run has kernels or samples of GPU utilization, or no device was ever idle; record a trace with kernels, or samples with `tracelake record`
--
-- column  run          text    id     name of the run
-- column  idle_cause   text    name   communication, loader, other or unknown
-- column  idle_s       double  s      idle GPU-seconds of this cause; an upper bound
-- column  gpu_s        double  s      GPU-seconds that the recordings cover
-- column  ratio        double  ratio  `idle_s` over `gpu_s`
-- column  fleet_s      double  s      idle GPU-seconds of this cause over all runs
-- column  fleet_ratio  double  ratio  that over the GPU-seconds of all runs
--
-- needs   run
-- order   run, idle_cause
-- source  kineto, nsys, sagemaker_system

WITH causes AS (
  SELECT
    run,
    gpu_s,
    unnest(['communication', 'loader', 'other', 'unknown']) AS idle_cause,
    unnest([
      idle_communication_s,
      idle_loader_s,
      idle_other_s,
      CASE WHEN idle_other_s IS NULL THEN idle_s - coalesce(idle_loader_s, 0) - coalesce(idle_communication_s, 0) END
    ]) AS idle_s
  FROM run
)

SELECT
  run,
  idle_cause,
  idle_s,
  gpu_s,
  idle_s / nullif(gpu_s, 0) AS ratio,
  sum(idle_s) OVER (PARTITION BY idle_cause) AS fleet_s,
  sum(idle_s) OVER (PARTITION BY idle_cause) / nullif((SELECT sum(gpu_s) FROM run), 0) AS fleet_ratio
FROM causes
WHERE idle_s > 0
ORDER BY run, idle_cause
