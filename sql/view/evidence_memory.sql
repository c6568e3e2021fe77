-- Did the memory of each run's GPUs grow by the definition of smdebug's rule, and how close did it come to the capacity?
--
-- One row per run. Columns are null if nothing was measured. `points` is the growth that smdebug's rule looks for, in percentage points of
-- the device from ten values to the next, after 1000 values. Both numbers apply to single values, and this view has only one value per run.
-- They are therefore not parameters of the finding. `rules.gpu_memory_increase` accepts other numbers. The peak is the maximum over the
-- allocator and the samples.
--
-- column  run              text    id       name of the run
-- column  points           double  percent  maximum growth from ten values to the next; null up to 1000 values
-- column  points_gpu       text    name     the GPU that it was found on
-- column  points_readings  bigint  count    its values; null when the memory of no GPU was sampled in percent
-- column  peak             double  ratio    maximum share of the memory of a GPU that was in use; null when unknown
-- column  peak_gpu         text    name     that GPU
-- column  peak_source      text    name     allocator or samples
-- column  allocations      bigint  count    events of allocators of GPUs; null without any
--
-- cache   large
-- needs   run, system_series, memory_peak
-- order   run

WITH stretched AS (
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
LEFT JOIN stepped AS s ON s.run = r.run
LEFT JOIN allocated AS a ON a.run = r.run
ORDER BY r.run
