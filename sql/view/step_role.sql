-- How is the time of each step of a rank divided among the roles?
--
-- Every moment of a step belongs to the first of eight roles that had work then, in this order: `kernel`, `memcpy` and `memset` on a
-- device, `communication`, `runtime`, `exposed_loader`, `cpu`, `other`. So the eight columns add up to `dur`, and work that an earlier role
-- hides is not counted. A role is the union of its intervals: concurrent work counts once.
--
-- `kernel` is a kernel that is not a collective. `communication` is a collective on the host or a kernel that moves data between
-- devices (function `is_collective`). `runtime` is a call into the runtime or the driver of the device. `exposed_loader` is a call of a
-- data loader in which the training process waits; the lifetime of a worker process does not count. `cpu` is an operator or an annotation
-- on the host. Python functions are not a role: if a profiler records them, they cover everything. The rest is `other`.
--
-- Roles, order and steps are those of the overview of the TensorBoard plugin of PyTorch, with three differences. The plugin treats
-- collectives as computation if their ids do not match or their names are not among the usual five. It counts annotations that are drawn on
-- a device as work of the host. It does not know driver calls.
--
-- Two rows per step, as in `step_extent`: the step as marked, and with `extended` until the work it launched has ended.
--
-- Excluded: work without a time or a duration; durations above seven days, which come from clocks that overflowed.
--
-- column  run             text     id    name of the run
-- column  node            text     id    machine
-- column  rank            bigint   id    global rank of the process; null when unknown
-- column  span            bigint   id    recording of the process within the run, from 0
-- column  extended        boolean  flag  whether the step lasts until the work it launched has ended
-- column  mode            text     name  train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  step            bigint   id    step number as the profiler wrote it; null for a recording without steps
-- column  ts              bigint   time  start
-- column  dur             bigint   ns    duration
-- column  complete        boolean  flag  false when the recording ended inside the step
-- column  kernel          bigint   ns    time in which a kernel ran
-- column  memcpy          bigint   ns    time in which a copy ran, and none of the roles before
-- column  memset          bigint   ns    time in which a fill ran, and none of the roles before
-- column  communication   bigint   ns    time in which a collective ran; and no role before it was active
-- column  runtime         bigint   ns    a call into runtime or driver ran, and none of the roles before
-- column  exposed_loader  bigint   ns    time in which the process only waited for the data loader
-- column  cpu             bigint   ns    the host computed, and none of the roles before
-- column  other           bigint   ns    none of them
--
-- needs   timed_event, step_extent
-- order   run, node, rank, span, extended, ts
-- source  kineto, nsys, sagemaker_framework

WITH work AS (
  SELECT
    run,
    node,
    rank,
    span,
    ts,
    dur,
    CASE
      WHEN category = 'operator' THEN 7
      WHEN category IN ('runtime', 'driver') THEN 5
      WHEN type = 'computation' THEN 1
      WHEN category = 'memcpy' THEN 2
      WHEN category = 'memset' THEN 3
      WHEN category IN ('kernel', 'communication') THEN 4
      WHEN category = 'loader' THEN 6
      ELSE 7
    END AS role
  FROM timed_event
  WHERE
    (
      category IN ('operator', 'communication', 'loader', 'runtime', 'driver', 'kernel', 'memcpy', 'memset')
      OR category = 'annotation' AND coalesce(device, 'cpu') = 'cpu'
    )
    AND (name IS DISTINCT FROM 'DataLoaderWorker')
    AND ts IS NOT NULL
    AND dur > 0
),

-- One row per recording.
busy AS (
  SELECT run, node, rank, span, priority_intervals(ts, dur, role) AS roles
  FROM work
  GROUP BY run, node, rank, span
),

-- Collect the steps of a recording in a list, so that its intervals are stored once and not once per step.
-- DISTINCT is faster over columns than over structs.
extents AS (
  SELECT DISTINCT run, node, rank, span, extended, mode, step, ts, dur, complete
  FROM step_extent
),

marked AS (
  SELECT
    run,
    node,
    rank,
    span,
    extended,
    array_agg(named_struct('mode', mode, 'step', step, 'ts', ts, 'dur', dur, 'complete', complete)) AS steps
  FROM extents
  GROUP BY run, node, rank, span, extended
),

covered AS (
  SELECT m.* EXCLUDE (steps), unnest(m.steps) AS mark, unnest(priority_covered(b.roles, m.steps)) AS roles
  FROM marked AS m
  LEFT JOIN busy AS b
    ON b.run = m.run
      AND (b.node IS NOT DISTINCT FROM m.node)
      AND (b.rank IS NOT DISTINCT FROM m.rank)
      AND (b.span IS NOT DISTINCT FROM m.span)
),

-- A recording may have no work of the last roles, or none.
parts AS (
  SELECT *, CASE WHEN roles IS NOT NULL THEN CAST(0 AS bigint) END AS nothing
  FROM covered
),

lengths AS (
  SELECT
    * EXCLUDE (roles, nothing),
    coalesce(roles[1], nothing) AS kernel,
    coalesce(roles[2], nothing) AS memcpy,
    coalesce(roles[3], nothing) AS memset,
    coalesce(roles[4], nothing) AS communication,
    coalesce(roles[5], nothing) AS runtime,
    coalesce(roles[6], nothing) AS exposed_loader,
    coalesce(roles[7], nothing) AS cpu
  FROM parts
)

SELECT
  run,
  node,
  rank,
  span,
  extended,
  mark['mode'] AS mode,
  mark['step'] AS step,
  mark['ts'] AS ts,
  mark['dur'] AS dur,
  mark['complete'] AS complete,
  kernel,
  memcpy,
  memset,
  communication,
  runtime,
  exposed_loader,
  cpu,
  mark['dur'] - kernel - memcpy - memset - communication - runtime - exposed_loader - cpu AS other
FROM lengths
ORDER BY run, node, rank, span, extended, ts
