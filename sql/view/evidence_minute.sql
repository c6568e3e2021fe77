-- How busy were each GPU, its memory and the cores of its machine in each minute?
--
-- One row per GPU and minute. Percentiles are those of the last `window` values at the end of the minute (view `system_recent`). The
-- findings decide how many values are enough, and what counts as low.
--
-- param   window  bigint in 1.. = 500  number of latest values for each percentile
--
-- column  run         text    id       name of the run
-- column  node        text    id       machine
-- column  device      text    name     the GPU
-- column  gpu         text    name     device, and its machine where that is known
-- column  ts          bigint  time     start of the minute
-- column  n           bigint  count    values of its utilization until the end of the minute; null for none
-- column  p5          double  percent  5th percentile
-- column  p95         double  percent  95th percentile
-- column  memory_n    bigint  count    values of its memory; null for none
-- column  memory_p95  double  percent  95th percentile
-- column  cpu_n       bigint  count    values of the cores of its machine; null for none
-- column  cpu_p95     double  percent  95th percentile
--
-- cache   large
-- needs   system_recent
-- order   run, gpu, ts

-- Add the values of the cores of a machine to the rows of each of its GPUs.
WITH samples AS (
  SELECT
    *,
    max(CASE WHEN resource = 'cpu' THEN p95 END) OVER (PARTITION BY run, node, ts) AS cpu_p95,
    max(CASE WHEN resource = 'cpu' THEN n END) OVER (PARTITION BY run, node, ts) AS cpu_n
  FROM system_recent($window)
  WHERE
    (resource = 'cpu' AND metric = 'utilization' AND device IS NULL)
    OR (resource = 'gpu' AND metric IN ('utilization', 'memory_utilization') AND device IS NOT NULL)
),

minutes AS (
  SELECT
    run,
    node,
    device,
    ts,
    max(cpu_n) AS cpu_n,
    max(cpu_p95) AS cpu_p95,
    max(CASE WHEN resource = 'gpu' AND metric = 'utilization' THEN n END) AS n,
    max(CASE WHEN resource = 'gpu' AND metric = 'utilization' THEN p5 END) AS p5,
    max(CASE WHEN resource = 'gpu' AND metric = 'utilization' THEN p95 END) AS p95,
    max(CASE WHEN metric = 'memory_utilization' THEN n END) AS memory_n,
    max(CASE WHEN metric = 'memory_utilization' THEN p95 END) AS memory_p95
  FROM samples
  WHERE resource = 'gpu'
  GROUP BY run, node, device, ts
)

SELECT *, arrow_cast(device || coalesce(' of ' || node, ''), 'Utf8') AS gpu
FROM minutes
ORDER BY run, gpu, ts
