-- Which share of the peak of the device did each step use (model FLOPs utilization, MFU)?
--
-- One row per step of a process rank. `flops` is the sum over the operators with an estimate (query `operator.flops`) that began in the
-- step, without those inside another such operator. `mfu` is the time that these operations take at the peak of the device for their data
-- types, over the duration of the step. Operators without an estimate add nothing, so `mfu` is a lower bound. Operations that activation
-- checkpointing repeats count again, as in hardware FLOPs utilization (HFU). Operators on integers, and operators that launched no device
-- work, have no peak and count only with param `peak`.
--
-- The definition of MFU is that of PaLM (Chowdhery et al., 2022), with the operations that the trace shows in place of 6 per parameter and
-- token.
--
-- Excluded: steps without an operator that has an estimate; steps that the recording cut short.
--
-- empty   no step has operators with the shapes of their inputs; record the trace with record_shapes=True and prof.step()
--
-- param   peak  double = null  peak of the device in operations per second; null for that of its data sheet
--
-- column  run          text    id     name of the run
-- column  node         text    id     machine
-- column  rank         bigint  id     global rank of the process; null when unknown
-- column  span         bigint  id     recording of the process within the run, from 0
-- column  step         bigint  id     step number as the profiler wrote it
-- column  ts           bigint  time   start of the step
-- column  dur          bigint  ns     duration of the step
-- column  flops        double  count  floating-point operations
-- column  flops_per_s  double  per_s  operations per second; `flops` over `dur`
-- column  mfu          double  ratio  share of the peak; null when the peak is unknown for one of the data types
--
-- needs   operator_estimate, event_step, step
-- order   run, node, rank, span, ts
-- source  kineto

WITH placed AS (
  SELECT run, object, row, step, step_ts
  FROM event_step
  WHERE category = 'operator' AND step_ts IS NOT NULL
),

counted AS (
  SELECT
    e.run,
    e.node,
    e.rank,
    e.span,
    p.step,
    p.step_ts AS ts,
    sum(e.flops) AS flops,
    sum(e.flops / coalesce(CAST($peak AS double), e.peak_flops_per_s)) AS seconds_at_peak,
    bool_or(
      e.device_total > 0
      AND e.peak_flops_per_s IS NULL
      AND coalesce(e.data_type NOT IN ('int64', 'int32', 'int16', 'int8', 'uint8', 'bool'), true)
    ) AND $peak IS NULL AS unknown
  FROM operator_estimate AS e
  JOIN placed AS p ON p.run = e.run AND p.object = e.object AND p.row = e.row
  WHERE NOT e.nested
  GROUP BY e.run, e.node, e.rank, e.span, p.step, p.step_ts
)

SELECT
  c.run,
  c.node,
  c.rank,
  c.span,
  c.step,
  c.ts,
  s.dur,
  c.flops,
  c.flops * 1000000000 / nullif(s.dur, 0) AS flops_per_s,
  CASE WHEN NOT c.unknown THEN c.seconds_at_peak * 1000000000 / nullif(s.dur, 0) END AS mfu
FROM counted AS c
JOIN step AS s
  ON s.run = c.run
    AND (s.node IS NOT DISTINCT FROM c.node)
    AND (s.rank IS NOT DISTINCT FROM c.rank)
    AND (s.span IS NOT DISTINCT FROM c.span)
    AND (s.step IS NOT DISTINCT FROM c.step)
    AND s.ts = c.ts
WHERE s.complete IS NOT FALSE
ORDER BY run, node, rank, span, ts
