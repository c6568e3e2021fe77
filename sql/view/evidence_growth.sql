-- Did the memory of each run grow?
--
-- One row per series. A series has the values of one machine, process or GPU between the first step and the end of the last one, or all
-- values if no step has a time. Values before the first step are excluded because loading data at the start is not a leak.
--
-- The series is divided into ten parts with equal numbers of values. `growth` is the mean of the last tenth divided by the mean of the
-- second. The first tenth is excluded from the growth, because a training starts with little memory. `rising` is the share of the nine
-- changes from tenth to tenth that go up. Main memory is that of the machine, or of a process of the training. Memory of a GPU is that of
-- the device, or the memory that an allocator handed out. The findings decide from which growth on it is a leak.
--
-- column  run       text    id      name of the run
-- column  side      text    name    host or gpu
-- column  name      text    name    the series
-- column  readings  bigint  count   its values
-- column  growth    double  factor  its last tenth over its second; null below ten values, and where that is zero
-- column  rising    double  ratio   share of the changes that go up
--
-- cache   large
-- needs   run, step, system_sample, logged_sample
-- order   run, side, name

WITH trained AS (
  -- Steps without an epoch cannot be compared with samples.
  SELECT s.run, min(s.ts) AS ts, max(s.ts + s.dur) AS till
  FROM step AS s
  JOIN run AS r ON r.run = s.run AND s.ts >= r.first_ts
  GROUP BY s.run
),

measured AS (
  SELECT
    s.run,
    s.node,
    s.resource,
    s.device,
    s.metric,
    CAST(NULL AS text) AS hook,
    s.ts AS place,
    CAST(0 AS bigint) AS row,
    s.value
  FROM system_sample AS s
  LEFT JOIN trained AS t ON t.run = s.run
  WHERE
    s.ts IS NOT NULL
    AND (t.ts IS NULL OR (s.ts >= t.ts AND s.ts <= t.till))
    AND (
      (s.resource = 'memory' AND s.metric IN ('used', 'rss', 'memory_utilization'))
      OR (s.resource = 'gpu' AND s.metric IN ('memory_utilization', 'memory_used'))
    )
  UNION ALL
  SELECT run, CAST(NULL AS text) AS node, resource, device, metric, hook, step AS place, row, value
  FROM logged_sample
  WHERE
    hook IS NOT NULL
    AND ((resource = 'memory' AND metric = 'used') OR (resource = 'allocator' AND metric = 'allocated_bytes.all.current'))
),

placed AS (
  SELECT
    *,
    CAST(row_number() OVER (PARTITION BY run, node, resource, device, metric, hook ORDER BY place, row, value) AS bigint) AS number,
    count(*) OVER (PARTITION BY run, node, resource, device, metric, hook) AS readings
  FROM measured
  WHERE value IS NOT NULL AND NOT isnan(value)
),

tenths AS (
  SELECT
    run,
    node,
    resource,
    device,
    metric,
    hook,
    max(readings) AS readings,
    (number - 1) * 10 / readings AS tenth,
    avg(value) AS mean,
    avg(value) > lag(avg(value)) OVER (
      PARTITION BY run, node, resource, device, metric, hook ORDER BY (number - 1) * 10 / readings
    ) AS rose
  FROM placed
  GROUP BY run, node, resource, device, metric, hook, (number - 1) * 10 / readings
)

SELECT
  run,
  CASE WHEN resource = 'memory' THEN 'host' ELSE 'gpu' END AS side,
  arrow_cast(
    CASE
      WHEN metric = 'rss' THEN 'process ' || replace(device, 'pid', '')
      WHEN resource = 'memory' THEN 'main memory'
      WHEN resource = 'allocator' THEN 'memory of tensors'
      ELSE 'memory of ' || coalesce(device, 'the GPU')
    END || coalesce(' of ' || node, '') || coalesce(' in ' || hook, ''),
    'Utf8'
  ) AS name,
  max(readings) AS readings,
  CASE
    WHEN max(readings) >= 10
      THEN max(CASE WHEN tenth = 9 THEN mean END) / nullif(max(CASE WHEN tenth = 1 THEN mean END), 0)
  END AS growth,
  CAST(count(*) FILTER (WHERE rose) AS double) / 9 AS rising
FROM tenths
GROUP BY run, node, resource, device, metric, hook
ORDER BY run, side, name
