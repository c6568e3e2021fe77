-- What shares of its step time did each traced run compute, copy, communicate, wait for data and work on the host?
--
-- One row per run. Shares are those of `step.breakdown` over all ranks and steps together: every moment counts once, for the first role
-- that had work, so that communication is what no computing kernel hid, and copies what neither hid. The rank that communicates most, and the one
-- that copies most, stand beside them. Only traces of the PyTorch profiler tell: SageMaker's hook records its operators for few steps.
-- Where no kernel, copy or fill was recorded nothing is known of a device, and `device` is false.
--
-- Left out: steps that a recording cut short. Nulls where a run has no trace.
--
-- column  run                 text     id     run
-- column  device              boolean  flag   whether work of a device was recorded; null without a trace
-- column  steps               bigint   count  steps of the rank that has most; a recording without step marks is one
-- column  ranks               bigint   count  processes
-- column  total               bigint   ns     duration of the steps, mean over the processes
-- column  kernel              double   ratio  share in which a kernel computed
-- column  memcpy              double   ratio  share in which only a copy ran
-- column  memset              double   ratio  share in which only a fill ran
-- column  communication       double   ratio  share in which only a collective ran
-- column  loader              double   ratio  share in which only data was waited for
-- column  host                double   ratio  the rest: calls into the runtime, work of the host, and nothing on record
-- column  communication_rank  bigint   id     rank that communicates most; null when unknown
-- column  communication_most  double   ratio  its share
-- column  memcpy_rank         bigint   id     rank that copies most; null when unknown
-- column  memcpy_most         double   ratio  its share
--
-- cache   large
-- needs   run, object, step_breakdown
-- order   run

WITH traced AS (
  SELECT DISTINCT run
  FROM object
  WHERE format IN ('kineto', 'nsys')
),

summed AS (
  SELECT
    b.run,
    b.node,
    b.rank,
    count(*) AS steps,
    CAST(sum(b.dur) AS double) AS dur,
    sum(b.kernel) AS kernel,
    sum(b.memcpy) AS memcpy,
    sum(b.memset) AS memset,
    sum(b.communication) AS communication,
    sum(b.loader) AS loader,
    sum(b.runtime + b.cpu + b.other) AS host
  FROM step_breakdown AS b
  JOIN traced AS t ON t.run = b.run
  WHERE b.complete IS NOT FALSE
  GROUP BY b.run, b.node, b.rank
),

shared AS (
  SELECT
    run,
    sum(kernel + memcpy + memset) > 0 AS device,
    max(steps) AS steps,
    count(*) AS ranks,
    TRY_CAST(round(avg(dur)) AS bigint) AS total,
    sum(kernel) / nullif(sum(dur), 0) AS kernel,
    sum(memcpy) / nullif(sum(dur), 0) AS memcpy,
    sum(memset) / nullif(sum(dur), 0) AS memset,
    sum(communication) / nullif(sum(dur), 0) AS communication,
    sum(loader) / nullif(sum(dur), 0) AS loader,
    sum(host) / nullif(sum(dur), 0) AS host,
    first_value(rank ORDER BY communication / nullif(dur, 0) DESC, rank, node) AS communication_rank,
    max(communication / nullif(dur, 0)) AS communication_most,
    first_value(rank ORDER BY memcpy / nullif(dur, 0) DESC, rank, node) AS memcpy_rank,
    max(memcpy / nullif(dur, 0)) AS memcpy_most
  FROM summed
  GROUP BY run
)

SELECT
  r.run,
  s.device,
  s.steps,
  s.ranks,
  s.total,
  s.kernel,
  s.memcpy,
  s.memset,
  s.communication,
  s.loader,
  s.host,
  s.communication_rank,
  s.communication_most,
  s.memcpy_rank,
  s.memcpy_most
FROM run AS r
LEFT JOIN shared AS s ON s.run = r.run
ORDER BY r.run
