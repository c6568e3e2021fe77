-- What shares of its step time did each traced run spend on computing, copying, communicating, waiting for data and host work?
--
-- One row per run. The shares are means over the ranks of view `evidence_rank_time`, and add up to 1. Every moment counts once, for the
-- first role that had work. So communication is only the time that no computing kernel hid, and copies only the time that neither hid. The
-- row also has the rank that communicates most and the rank that copies most. If no kernel, copy or fill was recorded, nothing is known
-- about a device, and `has_device` is false. Columns are null if a run has no trace.
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
-- needs   run, evidence_rank_time, unread_device
-- order   run

WITH shared AS (
  SELECT
    run,
    bool_or(has_device) AS has_device,
    max(windows) AS steps,
    count(*) AS ranks,
    TRY_CAST(round(avg(dur)) AS bigint) AS total,
    avg(kernel / nullif(dur, 0)) AS kernel_ratio,
    avg(memcpy / nullif(dur, 0)) AS memcpy_ratio,
    avg(memset / nullif(dur, 0)) AS memset_ratio,
    avg(communication / nullif(dur, 0)) AS communication_ratio,
    avg(exposed_loader / nullif(dur, 0)) AS exposed_loader_ratio,
    avg(host / nullif(dur, 0)) AS host_ratio,
    first_value(rank ORDER BY communication / nullif(dur, 0) DESC, rank, node) AS communication_rank,
    max(communication / nullif(dur, 0)) AS communication_most,
    first_value(rank ORDER BY memcpy / nullif(dur, 0) DESC, rank, node) AS memcpy_rank,
    max(memcpy / nullif(dur, 0)) AS memcpy_most
  FROM evidence_rank_time
  GROUP BY run
)

SELECT r.run, s.* EXCLUDE (run)
FROM run AS r
LEFT JOIN unread_device AS u ON u.run = r.run
LEFT JOIN shared AS s ON s.run = r.run AND u.run IS NULL
ORDER BY r.run
