-- Which calls of operators have an estimate of their work, and how fast could the device do it?
--
-- One row per call of an operator with floating-point operations: those that the profiler wrote, otherwise those that follow from the
-- shapes of its inputs (function `operator_flops`). `peak_flops_per_s` and `memory_bytes_per_s` are those of the device's data sheet (view
-- `device_peak`) for the data type. For float32, the peak is the rate of TF32 if the process ran a kernel with TF32 in its name.
--
-- Excluded: calls without an estimate or without a time; calls around a call of the same name, which does the work.
--
-- column  run                 text     id           name of the run
-- column  node                text     id           machine
-- column  rank                bigint   id           global rank of the process; null when unknown
-- column  span                bigint   id           recording of the process within the run, from 0
-- column  name                text     name         name of the operator
-- column  data_type           text     name         data type of the elements; null when unknown
-- column  ts                  bigint   time         start
-- column  dur                 bigint   ns           duration
-- column  flops               double   count        floating-point operations
-- column  bytes               double   bytes        minimum memory traffic; null when unknown
-- column  device_total        bigint   ns           device work launched in it and everything inside
-- column  nested              boolean  flag         whether another call with an estimate encloses it
-- column  peak_flops_per_s    double   per_s        peak of the device; null when unknown, and for a call without device work
-- column  memory_bytes_per_s  double   bytes_per_s  bandwidth of the device's memory; null when unknown
-- column  object              bigint   id           file of the row, see table object
-- column  row                 bigint   id           ordinal of the row in its file
--
-- needs   device_peak, event, host_call, timed_event
-- order   run, ts, object, row
-- source  kineto

WITH estimated AS (
  SELECT
    *,
    coalesce(try_cast(extract_arg(args, 'flops') AS double), operator_flops(name, args)) AS flops,
    operator_bytes(name, args) AS bytes,
    operator_data_type(name, args) AS data_type
  FROM event
  WHERE category = 'operator' AND call_path IS NOT NULL AND args IS NOT NULL
),

-- With the launches, so that the work inside each call is known.
rows AS (
  SELECT run, node, rank, span, pid, tid, name, data_type, ts, dur, flops, bytes, 0 AS work, false AS is_launch, object, row
  FROM estimated
  WHERE flops > 0
  UNION ALL
  SELECT
    run,
    node,
    rank,
    span,
    pid,
    tid,
    NULL AS name,
    NULL AS data_type,
    ts,
    dur,
    NULL AS flops,
    NULL AS bytes,
    work,
    true AS is_launch,
    object,
    row
  FROM host_call
  WHERE category IN ('runtime', 'driver') AND work > 0
),

framed AS (
  SELECT
    *,
    call_frame(name, ts, dur, work) OVER thread AS frame,
    call_parent(row, NOT is_launch, ts, dur) OVER thread AS parent_row
  FROM rows
  WINDOW thread AS (PARTITION BY run, node, rank, span, pid, tid ORDER BY ts, dur DESC, is_launch, object, row)
),

parented AS (
  SELECT * EXCLUDE (frame), frame['total_work'] AS device_total
  FROM framed
  WHERE NOT is_launch
),

-- Under autocast, a call with float32 inputs has the same call with the other type inside, which does the work.
innermost AS (
  SELECT p.*
  FROM parented AS p
  LEFT JOIN (SELECT DISTINCT run, object, parent_row, name FROM parented WHERE parent_row IS NOT NULL) AS i
    ON i.run = p.run AND i.object = p.object AND i.parent_row = p.row AND i.name = p.name
  WHERE i.run IS NULL
),

tf32 AS (
  SELECT DISTINCT run, node, rank
  FROM timed_event
  WHERE category = 'kernel' AND regexp_like(name, 'tf32|80_tensorop_s1688', 'i')
),

peaks AS (
  SELECT p.*, coalesce(CASE WHEN t.run IS NOT NULL THEN p.tf32_flops_per_s END, p.float32_flops_per_s) AS float32_used
  FROM device_peak AS p
  LEFT JOIN tf32 AS t ON t.run = p.run AND (t.node IS NOT DISTINCT FROM p.node) AND (t.rank IS NOT DISTINCT FROM p.rank)
)

SELECT
  e.run,
  e.node,
  e.rank,
  e.span,
  e.name,
  e.data_type,
  e.ts,
  e.dur,
  e.flops,
  e.bytes,
  e.device_total,
  call_parent(e.row, true, e.ts, e.dur) OVER (
    PARTITION BY e.run, e.node, e.rank, e.span, e.pid, e.tid ORDER BY e.ts, e.dur DESC, e.object, e.row
  ) IS NOT NULL AS nested,
  CASE e.data_type
    WHEN 'float64' THEN p.float64_flops_per_s
    WHEN 'float32' THEN p.float32_used
    WHEN 'float16' THEN p.float16_flops_per_s
    WHEN 'bfloat16' THEN p.bfloat16_flops_per_s
    WHEN 'float8' THEN p.float8_flops_per_s
  END AS peak_flops_per_s,
  p.memory_bytes_per_s,
  e.object,
  e.row
FROM innermost AS e
LEFT JOIN peaks AS p
  ON p.run = e.run AND (p.node IS NOT DISTINCT FROM e.node) AND (p.rank IS NOT DISTINCT FROM e.rank) AND e.device_total > 0
ORDER BY e.run, e.ts, e.object, e.row
