-- When was a GPU idle while a core waited for disks or network?
--
-- One row per snapshot of a machine (view `system_snapshot`: what was measured within 20 ms) in which the utilization of at least
-- one GPU was at most `gpu` and the I/O wait of at least one core above `io`. A core that waits beside an idle GPU is a sign
-- that storage cannot keep up. `utilization.gpu_load` has the share of such samples.
--
-- smdebug's rule IOBottleneck asks for a utilization below `gpu`, and reports the same snapshots where no value lies on the limit.
--
-- empty   no GPU was idle while a core waited, or one of the two was not sampled (`utilization.summary` tells)
--
-- param   gpu  double = 10  percent up to which a GPU is idle
-- param   io   double = 50  percent above which a core waits
--
-- column  run          text    id       run
-- column  node         text    id       machine
-- column  ts           bigint  time     first sample of the snapshot
-- column  gpus         bigint  count    GPUs that were idle
-- column  cores        bigint  count    cores that waited
-- column  gpu_percent  double  percent  utilization of the least busy GPU
-- column  io_percent   double  percent  I/O wait of the core that waited most
--
-- needs   system_snapshot
-- order   run, node, ts
-- source  sagemaker_system

-- One row for each GPU and core first: few things to tell apart in each of many groups take the engine long.
WITH told AS (
  SELECT run, node, snapshot, resource, device, min(value) AS least, max(value) AS most
  FROM system_snapshot
  WHERE
    unit = 'percent'
    AND (
      resource = 'gpu' AND metric = 'utilization' AND value <= $gpu
      OR resource = 'cpu' AND metric = 'iowait' AND value > $io
    )
  GROUP BY run, node, snapshot, resource, device
)

SELECT
  run,
  node,
  snapshot AS ts,
  count(device) FILTER (WHERE resource = 'gpu') AS gpus,
  count(device) FILTER (WHERE resource = 'cpu') AS cores,
  min(least) FILTER (WHERE resource = 'gpu') AS gpu_percent,
  max(most) FILTER (WHERE resource = 'cpu') AS io_percent
FROM told
GROUP BY run, node, snapshot
HAVING count(*) FILTER (WHERE resource = 'gpu') > 0 AND count(*) FILTER (WHERE resource = 'cpu') > 0
ORDER BY run, node, ts
