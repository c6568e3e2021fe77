-- What shares of its step time did each traced run spend on computing, copying, communicating, waiting for data and host work?
--
-- One row per run. The shares are those of `step.breakdown` over all ranks and steps together. Every moment counts once, for the first role
-- that had work. So communication is only the time that no computing kernel hid, and copies only the time that neither hid. The row also
-- has the rank that communicates most and the rank that copies most.
--
-- The source is traces of the PyTorch profiler or Nsight Systems: SageMaker's hook records its operators for only a few steps. If no
-- kernel, copy or fill was recorded, nothing is known about a device, and `has_device` is false.
--
-- Excluded: steps that are incomplete because the recording ended. Columns are null if a run has no trace.
--
-- column  run                   text     id     name of the run
-- column  has_device            boolean  flag   whether work of a device was recorded; null without a trace
-- column  steps                 bigint   count  steps of the rank that has most; a recording without step marks is one
-- column  ranks                 bigint   count  ranks
-- column  total                 bigint   ns     time that the ratios of the row are a share of
-- column  kernel_ratio          double   ratio  share in which a kernel computed
-- column  memcpy_ratio          double   ratio  share in which only a copy ran
-- column  memset_ratio          double   ratio  share in which only a fill ran
-- column  communication_ratio   double   ratio  share in which only collectives ran
-- column  exposed_loader_ratio  double   ratio  `exposed_loader` over the time of the steps
-- column  host_ratio            double   ratio  share in which the device waited for the host; calls into the runtime, work of the host, and nothing on record
-- column  communication_rank    bigint   id     rank that communicates most; null when unknown
-- column  communication_most    double   ratio  its share
-- column  memcpy_rank           bigint   id     rank that copies most; null when unknown
-- column  memcpy_most           double   ratio  its share
--
-- cache   large
-- needs   run, object, step_breakdown
-- order   run

WITH summed AS (
  SELECT
    run,
    node,
    rank,
    count(*) AS steps,
    CAST(sum(dur) AS double) AS dur,
    sum(kernel) AS kernel,
    sum(memcpy) AS memcpy,
    sum(memset) AS memset,
    sum(communication) AS communication,
    sum(exposed_loader) AS loader,
    sum(runtime + cpu + other) AS host
  FROM step_breakdown
  WHERE complete IS NOT FALSE AND run IN (SELECT DISTINCT run FROM object WHERE format IN ('kineto', 'nsys'))
  GROUP BY run, node, rank
),

shared AS (
  SELECT
    run,
    sum(kernel + memcpy + memset) > 0 AS has_device,
    max(steps) AS steps,
    count(*) AS ranks,
    TRY_CAST(round(avg(dur)) AS bigint) AS total,
    sum(kernel) / nullif(sum(dur), 0) AS kernel_ratio,
    sum(memcpy) / nullif(sum(dur), 0) AS memcpy_ratio,
    sum(memset) / nullif(sum(dur), 0) AS memset_ratio,
    sum(communication) / nullif(sum(dur), 0) AS communication_ratio,
    sum(loader) / nullif(sum(dur), 0) AS exposed_loader_ratio,
    sum(host) / nullif(sum(dur), 0) AS host_ratio,
    first_value(rank ORDER BY communication / nullif(dur, 0) DESC, rank, node) AS communication_rank,
    max(communication / nullif(dur, 0)) AS communication_most,
    first_value(rank ORDER BY memcpy / nullif(dur, 0) DESC, rank, node) AS memcpy_rank,
    max(memcpy / nullif(dur, 0)) AS memcpy_most
  FROM summed
  GROUP BY run
)

SELECT r.run, s.* EXCLUDE (run)
FROM run AS r
LEFT JOIN shared AS s ON s.run = r.run
ORDER BY r.run
