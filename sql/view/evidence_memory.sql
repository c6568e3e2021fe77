-- Did the memory of each run grow, and how close did that of its GPUs come to the end?
--
-- One row per run; nulls where nothing was measured. A series is what was measured of one machine, process or GPU between the first step and
-- the end of the last one, or at all where no step has a time: what is loaded before is no leak. It is cut into ten parts of equally many values. It grows by the mean of the last tenth over that of the second, and `rising` is the share of the nine
-- changes from tenth to tenth that go up: the first tenth is left out of the growth since a training begins with little. Of several series
-- it is the one that rises most often, at least in 8 of 9, and of those the one that grows most.
--
-- Main memory is that of the machine, or of a process of the training; memory of a GPU is that of the device, or what an allocator
-- handed out. `points` is the growth that smdebug's rule looks for, in percentage points of the device from ten values to the
-- next, after 1000 values (`rules.gpu_memory_increase`). The peak is the greatest of what an allocator and the samples say.
--
-- column  run              text    id      run
-- column  host             text    name    the series of main memory; null when none was measured
-- column  host_readings    bigint  count   its values
-- column  host_growth      double  factor  its last tenth over its second; null below ten values, and where that is zero
-- column  host_rising      double  ratio   share of the changes that go up
-- column  gpu              text    name    the series of memory of a GPU; null when none was measured
-- column  gpu_readings     bigint  count   its values
-- column  gpu_growth       double  factor  its last tenth over its second; null below ten values, and where that is zero
-- column  gpu_rising       double  ratio   share of the changes that go up
-- column  points           double  percent greatest growth from ten values to the next; null up to 1000 values
-- column  points_gpu       text    name    the GPU that it was found on
-- column  points_readings  bigint  count   its values; null when the memory of no GPU was sampled in percent
-- column  peak             double  ratio   greatest share of the memory of a GPU that was in use; null when unknown
-- column  peak_gpu         text    name    that GPU
-- column  peak_source      text    name    allocator or samples
-- column  allocations      bigint  count   events of allocators of GPUs; null without any
--
-- needs   run, step, system_sample, system_series, logged_sample, memory_peak
-- order   run

WITH trained AS (
  SELECT run, min(ts) AS ts, max(ts + dur) AS till
  FROM step
  GROUP BY run
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
    run,
    node,
    resource,
    device,
    metric,
    hook,
    value,
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
    avg(value) AS mean
  FROM placed
  GROUP BY run, node, resource, device, metric, hook, (number - 1) * 10 / readings
),

changed AS (
  SELECT
    *,
    mean > lag(mean) OVER (PARTITION BY run, node, resource, device, metric, hook ORDER BY tenth) AS rose
  FROM tenths
),

series AS (
  SELECT
    run,
    CASE WHEN resource = 'memory' THEN 'host' ELSE 'gpu' END AS side,
    CASE
      WHEN metric = 'rss' THEN 'process ' || replace(device, 'pid', '')
      WHEN resource = 'memory' THEN 'main memory'
      WHEN resource = 'allocator' THEN 'memory of tensors'
      ELSE 'memory of ' || coalesce(device, 'the GPU')
    END
    || coalesce(' of ' || node, '')
    || coalesce(' in ' || hook, '') AS name,
    max(readings) AS readings,
    CASE
      WHEN max(readings) >= 10
        THEN max(CASE WHEN tenth = 9 THEN mean END) / nullif(max(CASE WHEN tenth = 1 THEN mean END), 0)
    END AS growth,
    CAST(count(*) FILTER (WHERE rose) AS double) / 9 AS rising
  FROM changed
  GROUP BY run, node, resource, device, metric, hook
),

grown AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY run, side
      ORDER BY
        CASE WHEN rising > 0.8 AND readings >= 50 THEN 0 ELSE 1 END,
        CASE WHEN readings >= 50 THEN 0 ELSE 1 END,
        growth DESC NULLS LAST,
        name
    ) AS place
  FROM series
),

stretched AS (
  SELECT
    run,
    device || coalesce(' of ' || node, '') AS gpu,
    CAST(row_number() OVER (PARTITION BY run, node, device ORDER BY ts) AS bigint) AS n,
    avg(value) OVER (PARTITION BY run, node, device ORDER BY ts ROWS BETWEEN 9 PRECEDING AND CURRENT ROW)
    - avg(value) OVER (PARTITION BY run, node, device ORDER BY ts ROWS BETWEEN 10 PRECEDING AND 2 PRECEDING) AS points,
    value
  FROM system_series
  WHERE resource = 'gpu' AND metric = 'memory_utilization' AND unit = 'percent' AND device IS NOT NULL
),

stepped AS (
  SELECT
    run,
    max(n) AS readings,
    max(CASE WHEN n > 1000 THEN points END) AS points,
    first_value(gpu ORDER BY CASE WHEN n > 1000 THEN points END DESC NULLS LAST, gpu) AS gpu,
    max(value) / 100 AS peak,
    first_value(gpu ORDER BY value DESC, gpu) AS peak_gpu
  FROM stretched
  GROUP BY run
),

allocated AS (
  SELECT
    run,
    sum(n) AS allocations,
    max(peak_ratio) AS peak,
    first_value(
      device || coalesce(' of ' || node, '') || coalesce(' on rank ' || rank, '') ORDER BY peak_ratio DESC NULLS LAST, node, rank, device
    ) AS gpu
  FROM memory_peak
  WHERE device <> 'cpu'
  GROUP BY run
)

SELECT
  r.run,
  arrow_cast(h.name, 'Utf8') AS host,
  h.readings AS host_readings,
  h.growth AS host_growth,
  h.rising AS host_rising,
  arrow_cast(g.name, 'Utf8') AS gpu,
  g.readings AS gpu_readings,
  g.growth AS gpu_growth,
  g.rising AS gpu_rising,
  s.points,
  CASE WHEN s.points IS NOT NULL THEN arrow_cast(s.gpu, 'Utf8') END AS points_gpu,
  s.readings AS points_readings,
  greatest(a.peak, s.peak) AS peak,
  CASE
    WHEN a.peak >= coalesce(s.peak, 0) THEN arrow_cast(a.gpu, 'Utf8')
    WHEN s.peak IS NOT NULL THEN arrow_cast(s.peak_gpu, 'Utf8')
  END AS peak_gpu,
  CASE WHEN a.peak >= coalesce(s.peak, 0) THEN 'allocator' WHEN s.peak IS NOT NULL THEN 'samples' END AS peak_source,
  a.allocations
FROM run AS r
LEFT JOIN grown AS h ON h.run = r.run AND h.side = 'host' AND h.place = 1
LEFT JOIN grown AS g ON g.run = r.run AND g.side = 'gpu' AND g.place = 1
LEFT JOIN stepped AS s ON s.run = r.run
LEFT JOIN allocated AS a ON a.run = r.run
ORDER BY r.run
