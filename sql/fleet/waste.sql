-- How much time of devices was idle, and why?
--
-- One row per run and cause. `communication`: only collectives ran; `loader`: the device had nothing to do while its process waited
-- for a batch; `other`: all else, such as a host that launches too little; `unknown`: idle by samples of its utilization, which
-- do not say why. The causes of a run add up to all of its idle time. Each is an upper bound: a device may be idle for
-- two reasons at once, and what is gained at one place may be waited for at the next.
--
-- Times are GPU-seconds: 3600 of them are one GPU-hour. `fleet_s` and `fleet_ratio` are over all runs whose devices are known, the
-- same in all rows of a cause; a filter on `run` does not change them.
--
-- Left out: causes without any time, and runs without kernels and without samples of GPU utilization.
--
-- empty   no run has kernels or samples of GPU utilization, or none was ever idle
--
-- column  run          text    id     name of the run
-- column  cause        text    name   communication, loader, other or unknown
-- column  idle_s       double  s      idle GPU-seconds of this cause; at most
-- column  gpu_s        double  s      GPU-seconds of the run in all
-- column  ratio        double  ratio  `idle_s` over `gpu_s`
-- column  fleet_s      double  s      idle GPU-seconds of this cause over all runs
-- column  fleet_ratio  double  ratio  that over the GPU-seconds of all runs
--
-- needs   run
-- order   run, cause
-- source  kineto, nsys, sagemaker_system

WITH causes AS (
  SELECT run, 'communication' AS cause, idle_communication_s AS idle_s, gpu_s FROM run
  UNION ALL
  SELECT run, 'loader' AS cause, idle_loader_s AS idle_s, gpu_s FROM run
  UNION ALL
  SELECT run, 'other' AS cause, idle_other_s AS idle_s, gpu_s FROM run
  UNION ALL
  SELECT
    run,
    'unknown' AS cause,
    CASE WHEN idle_other_s IS NULL THEN idle_s - coalesce(idle_loader_s, 0) - coalesce(idle_communication_s, 0) END AS idle_s,
    gpu_s
  FROM run
),

fleet AS (
  SELECT sum(gpu_s) AS gpu_s
  FROM run
)

SELECT
  c.run,
  c.cause,
  c.idle_s,
  c.gpu_s,
  c.idle_s / nullif(c.gpu_s, 0) AS ratio,
  sum(c.idle_s) OVER (PARTITION BY c.cause) AS fleet_s,
  sum(c.idle_s) OVER (PARTITION BY c.cause) / nullif(f.gpu_s, 0) AS fleet_ratio
FROM causes AS c
CROSS JOIN fleet AS f
WHERE c.idle_s > 0
ORDER BY c.run, c.cause
