-- How large are the kernels of each run, do they use tensor cores, and did their device wait for launches?
--
-- One row per run. Kernels are those of `kernel.by_operator`, without collectives: a collective lasts as long as other ranks take.
-- `eligible` is the share of kernel time that convolutions or matrix products launched, because tensor cores can run these operators. As in
-- the TensorBoard plugin, the name of the innermost operator decides. The names of NVIDIA's kernels show whether they use tensor cores; the
-- names of AMD's kernels do not.
--
-- Idle time is that of the main stream, on which work most often waited for other work (`kernel.idle_breakdown`). Copies are those of
-- `kernel.summary`. Columns are null if no trace has a kernel, or if device work could not be read (view `unread_device`). SageMaker's hook
-- is not a source: it records the kernels of only a few steps.
--
-- column  run                text     id     name of the run
-- column  kernels            bigint   count  kernels
-- column  kernel_mean        double   ns     mean duration
-- column  kernel_sum         bigint   ns     sum of the durations of the kernels
-- column  devices            bigint   count  devices that one process used at most
-- column  tensor_core_ratio  double   ratio  time of kernels on tensor cores over that of all kernels
-- column  eligible           double   ratio  share of kernel time launched by operators that tensor cores can do; null when no operator is known
-- column  eligible_rest      bigint   ns     kernel time of these operators that was not on tensor cores
-- column  amd                boolean  flag   whether a device is AMD's; null when their names are not recorded
-- column  capability         double   name   minimum compute capability of the devices; null when not recorded
-- column  host_wait          double   ratio  share of the idle time of the main stream in which the next work was not launched yet; null when unknown
-- column  idle               bigint   ns     time in which nothing ran
-- column  launches           bigint   count  launches; of kernels; null when none is on record
-- column  launch_p50         double   ns     median duration of the calls, of the process with most launches
-- column  delay_p50          double   ns     median delay
-- column  copy_sum           bigint   ns     time in copies, device by device added up
-- column  to_device          double   ratio  share of it from host to device; null without copies
-- column  pageable           double   ratio  share of copies from host to device out of memory that is not pinned; null without these
--
-- cache   large
-- needs   run, object, device, kernel_by_operator, kernel_summary, kernel_idle_breakdown, kernel_launch_stats, kernel_occupancy, unread_device
-- order   run

WITH launched AS (
  SELECT
    *,
    regexp_like(
      operator,
      '^aten::_?(cudnn_|thnn_|slow_|mkldnn_)?(conv(olution)?[123]?d?(_backward|_overrideable|_transpose|_forward|_weight|_input|_depthwise2d)*'
      || '|addmm|addmm_activation|mm|bmm|baddbmm|addbmm|matmul|linear|einsum|scaled_mm|grouped_mm'
      || '|scaled_dot_product_[a-z_]*attention(_backward)?|flash_attention_(forward|backward)|efficient_attention_(forward|backward))$'
    ) AS eligible
  FROM kernel_by_operator
  WHERE NOT is_collective(name) AND run IN (SELECT run FROM object WHERE format IN ('kineto', 'nsys'))
),

counted AS (
  SELECT
    run,
    TRY_CAST(sum(n) AS bigint) AS kernels,
    TRY_CAST(sum(dur_sum) AS bigint) AS kernel_sum,
    TRY_CAST(sum(dur_sum) FILTER (WHERE tensor_core) AS bigint) AS tensor_core,
    TRY_CAST(sum(dur_sum) FILTER (WHERE eligible) AS bigint) AS eligible,
    TRY_CAST(sum(dur_sum) FILTER (WHERE eligible AND NOT tensor_core) AS bigint) AS eligible_rest,
    bool_or(operator IS NOT NULL) AS has_operators
  FROM launched
  GROUP BY run
),

copied AS (
  SELECT
    run,
    TRY_CAST(sum(dur_sum) AS bigint) AS copy_sum,
    CAST(sum(dur_sum) FILTER (WHERE regexp_like(name, 'HtoD|HostToDevice|Host -> Device', 'i')) AS bigint) AS to_device,
    TRY_CAST(sum(dur_sum) FILTER (WHERE regexp_like(name, 'HtoD.*Pageable', 'i')) AS bigint) AS pageable
  FROM kernel_summary
  WHERE type = 'memory' AND regexp_like(name, 'memcpy|copy', 'i')
  GROUP BY run
),

main AS (
  SELECT
    run,
    node,
    rank,
    span,
    device,
    stream,
    sum(n) AS intervals,
    sum(dur_sum) AS idle,
    coalesce(sum(dur_sum) FILTER (WHERE idle_cause = 'host_wait'), 0) AS host_wait,
    coalesce(sum(dur_sum) FILTER (WHERE idle_cause = 'unknown'), 0) AS unknown
  FROM kernel_idle_breakdown
  GROUP BY run, node, rank, span, device, stream
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY intervals DESC, rank, node, span, device, stream) = 1
),

calls AS (
  SELECT run, TRY_CAST(sum(n) OVER (PARTITION BY run) AS bigint) AS launches, host_p50, delay_p50
  FROM kernel_launch_stats
  WHERE category = 'kernel'
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY n DESC, rank, node, span) = 1
),

gpus AS (
  SELECT
    run,
    bool_or(regexp_like(name, 'amd|radeon|instinct', 'i')) AS amd,
    min(try_cast(capability AS double)) AS capability
  FROM device
  WHERE kind = 'gpu' AND name IS NOT NULL
  GROUP BY run
),

used AS (
  SELECT run, max(devices) AS devices
  FROM (
    SELECT run, node, rank, count(DISTINCT device) AS devices
    FROM kernel_occupancy
    GROUP BY run, node, rank
  ) AS u
  GROUP BY run
)

SELECT
  r.run,
  c.kernels,
  CAST(c.kernel_sum AS double) / nullif(c.kernels, 0) AS kernel_mean,
  c.kernel_sum,
  u.devices,
  CAST(coalesce(c.tensor_core, 0) AS double) / nullif(c.kernel_sum, 0) AS tensor_core_ratio,
  CASE WHEN c.has_operators THEN CAST(coalesce(c.eligible, 0) AS double) / nullif(c.kernel_sum, 0) END AS eligible,
  CASE WHEN c.has_operators THEN coalesce(c.eligible_rest, 0) END AS eligible_rest,
  m.amd,
  m.capability,
  CASE WHEN i.unknown < i.idle THEN CAST(i.host_wait AS double) / i.idle END AS host_wait,
  TRY_CAST(i.idle AS bigint) AS idle,
  l.launches,
  l.host_p50 AS launch_p50,
  l.delay_p50,
  p.copy_sum,
  CAST(coalesce(p.to_device, 0) AS double) / nullif(p.copy_sum, 0) AS to_device,
  CAST(coalesce(p.pageable, 0) AS double) / nullif(p.to_device, 0) AS pageable
FROM run AS r
LEFT JOIN unread_device AS d ON d.run = r.run
LEFT JOIN counted AS c ON c.run = r.run AND d.run IS NULL
LEFT JOIN copied AS p ON p.run = r.run AND c.run IS NOT NULL
LEFT JOIN main AS i ON i.run = r.run AND d.run IS NULL
LEFT JOIN calls AS l ON l.run = r.run AND d.run IS NULL
LEFT JOIN gpus AS m ON m.run = r.run AND c.run IS NOT NULL
LEFT JOIN used AS u ON u.run = r.run AND d.run IS NULL
ORDER BY r.run
