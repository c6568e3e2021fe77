-- What was each step of a rank busy with, moment by moment?
--
-- Every moment of a step belongs to the first of eight roles that had work then, in this order: `kernel`, `memcpy` and `memset`
-- on a device, `communication`, `runtime`, `loader`, `cpu`, `other`. So the eight columns add up to `dur`, and work that
-- something before it hides is not counted. A role is the union of its intervals: what runs side by side counts once.
--
-- `kernel` is a kernel that is no collective. `communication` is a collective on the host or a kernel with `nccl` in its
-- name, in any case (RCCL names its kernels so too). `runtime` is a call into the runtime or the driver of the device.
-- `loader` is a call of a data loader, as the training process waits for it. `cpu` is an operator or an annotation on the host.
-- Python functions are no role: where a profiler records them, they cover everything. The rest is `other`.
--
-- Roles, order and steps are those of the overview of the TensorBoard plugin of PyTorch, with three differences: the plugin takes
-- collectives for computation where their ids do not match or their names are others than the usual five, counts
-- annotations that are drawn on a device as work of the host, and knows no driver calls.
--
-- Two rows per step, as in `step_extent`: the step as marked, and with `extended` until the work it launched has ended.
--
-- Left out: work without a time or a duration, and durations above seven days, which come of clocks that overflowed.
--
-- column  run            text     id    run the step belongs to
-- column  node           text     id    machine
-- column  rank           bigint   id    global rank of the process; null when unknown
-- column  span           bigint   id    recording of the process within the run, from 0
-- column  extended       boolean  flag  whether the step lasts until the work it launched has ended
-- column  mode           text     name  train, eval, predict or global; null when the profiler did not say
-- column  step           bigint   id    step number as the profiler wrote it; null for a recording without steps
-- column  ts             bigint   time  start
-- column  dur            bigint   ns    duration
-- column  complete       boolean  flag  false when the recording ended inside the step
-- column  kernel         bigint   ns    a kernel computed
-- column  memcpy         bigint   ns    a copy ran, and none of the roles before
-- column  memset         bigint   ns    a fill ran, and none of the roles before
-- column  communication  bigint   ns    a collective ran, and none of the roles before
-- column  runtime        bigint   ns    a call into runtime or driver ran, and none of the roles before
-- column  loader         bigint   ns    a data loader was waited for, and none of the roles before
-- column  cpu            bigint   ns    the host computed, and none of the roles before
-- column  other          bigint   ns    none of them
--
-- needs   event, step_extent, step_window
-- order   run, node, rank, span, extended, ts
-- source  kineto, sagemaker_framework

-- The time of a recording in cells of equal length, about two to a step: work finds its steps by equality, not by trying all.
WITH grid AS (
  SELECT
    run,
    coalesce(node, '') AS node_key,
    coalesce(rank, -1) AS rank_key,
    coalesce(span, -1) AS span_key,
    row_number() OVER (PARTITION BY run ORDER BY coalesce(node, ''), coalesce(rank, -1), coalesce(span, -1)) AS recording,
    min(ts) AS origin,
    (max(ts + dur) - min(ts)) / (2 * count(*)) + 1 AS width,
    max(ts + dur) - min(ts) AS extent
  FROM step_window
  GROUP BY run, coalesce(node, ''), coalesce(rank, -1), coalesce(span, -1)
),

-- What lies before the first cell or behind the last one goes into that.
cell AS (
  SELECT
    s.*,
    g.recording,
    unnest(generate_series(
      greatest(s.ts - g.origin, 0) / g.width,
      least(greatest(s.ts + s.dur - g.origin, 0), g.extent) / g.width
    )) AS cell
  FROM grid AS g
  INNER JOIN step_extent AS s
    ON s.run = g.run
      AND coalesce(s.node, '') = g.node_key
      AND coalesce(s.rank, -1) = g.rank_key
      AND coalesce(s.span, -1) = g.span_key
),

work AS (
  SELECT
    run,
    coalesce(node, '') AS node_key,
    coalesce(rank, -1) AS rank_key,
    coalesce(span, -1) AS span_key,
    ts,
    ts + dur AS till,
    CASE
      WHEN category = 'operator' THEN 7
      WHEN category IN ('runtime', 'driver') THEN 5
      WHEN category = 'kernel' THEN CASE WHEN name ILIKE '%nccl%' THEN 4 ELSE 1 END
      WHEN category = 'memcpy' THEN 2
      WHEN category = 'memset' THEN 3
      WHEN category = 'communication' THEN 4
      WHEN category = 'loader' THEN 6
      ELSE 7
    END AS role
  FROM event
  WHERE
    (
      category IN ('operator', 'communication', 'loader', 'runtime', 'driver', 'kernel', 'memcpy', 'memset')
      OR category = 'annotation' AND coalesce(device, 'cpu') = 'cpu'
    )
    AND ts IS NOT NULL
    AND dur BETWEEN 1 AND 604800000000000
),

placed AS (
  SELECT
    w.run,
    g.recording,
    w.role,
    w.ts,
    w.till,
    unnest(generate_series(
      least(greatest(w.ts - g.origin, 0), g.extent) / g.width,
      least(greatest(w.till - g.origin, 0), g.extent) / g.width
    )) AS cell
  FROM grid AS g
  INNER JOIN work AS w
    ON w.run = g.run AND w.node_key = g.node_key AND w.rank_key = g.rank_key AND w.span_key = g.span_key
),

-- A cell without work has a row of its own, which counts for no role.
clipped AS (
  SELECT
    c.*,
    p.role,
    CASE WHEN p.role IS NOT NULL THEN greatest(p.ts, c.ts) END AS work_ts,
    least(p.till, c.ts + c.dur) - greatest(p.ts, c.ts) AS work_dur
  FROM cell AS c
  LEFT JOIN placed AS p
    ON p.run = c.run AND p.recording = c.recording AND p.cell = c.cell AND p.ts < c.ts + c.dur AND p.till > c.ts
),

-- For each role the time in which it or a role before it had work.
covered AS (
  SELECT
    run,
    node,
    rank,
    span,
    extended,
    mode,
    step,
    ts,
    dur,
    complete,
    union_length(work_ts, work_dur) FILTER (WHERE role <= 1) AS to_kernel,
    union_length(work_ts, work_dur) FILTER (WHERE role <= 2) AS to_memcpy,
    union_length(work_ts, work_dur) FILTER (WHERE role <= 3) AS to_memset,
    union_length(work_ts, work_dur) FILTER (WHERE role <= 4) AS to_communication,
    union_length(work_ts, work_dur) FILTER (WHERE role <= 5) AS to_runtime,
    union_length(work_ts, work_dur) FILTER (WHERE role <= 6) AS to_loader,
    union_length(work_ts, work_dur) AS to_cpu
  FROM clipped
  GROUP BY run, node, rank, span, extended, mode, step, ts, dur, complete
)

SELECT
  run,
  node,
  rank,
  span,
  extended,
  mode,
  step,
  ts,
  dur,
  complete,
  to_kernel AS kernel,
  to_memcpy - to_kernel AS memcpy,
  to_memset - to_memcpy AS memset,
  to_communication - to_memset AS communication,
  to_runtime - to_communication AS runtime,
  to_loader - to_runtime AS loader,
  to_cpu - to_loader AS cpu,
  dur - to_cpu AS other
FROM covered
ORDER BY run, node, rank, span, extended, ts
