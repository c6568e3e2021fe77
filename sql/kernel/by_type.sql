-- How much device time went into computation, communication and memory, alone and in parallel?
--
-- One row per recording of a process and set of types that ran at the same time, over all its devices and streams together. Each moment of
-- device work counts in exactly one row, so the rows of a recording add up to the time in which anything ran. `types` names the set, such
-- as `computation` or `computation overlapping communication`. `memory` means copies and fills.
--
-- The table is HTA's `get_gpu_kernel_breakdown`, which adds up all ranks.
--
-- Excluded: sets that did not occur.
--
-- empty   no device work with known times was recorded; record a trace with ProfilerActivity.CUDA, or an export of Nsight Systems with --trace=cuda
--
-- column  run    text    id     name of the run
-- column  node   text    id     machine
-- column  rank   bigint  id     global rank of the process; null when unknown
-- column  span   bigint  id     recording of the process within the run, from 0
-- column  types  text    name   types that ran at the same time
-- column  dur    bigint  ns     time in which exactly these ran
-- column  ratio  double  ratio  `dur` over the time in which anything ran
--
-- needs   device_work
-- order   run, node, rank, span, types
-- source  kineto, nsys, sagemaker_framework

-- For every set of types, the time in which at least one of them ran.
WITH united AS (
  SELECT
    run,
    node,
    rank,
    span,
    object,
    union_length(ts, dur) AS busy,
    union_length(ts, dur) FILTER (WHERE type = 'computation') AS p,
    union_length(ts, dur) FILTER (WHERE type = 'communication') AS c,
    union_length(ts, dur) FILTER (WHERE type = 'memory') AS m,
    union_length(ts, dur) FILTER (WHERE type <> 'memory') AS pc,
    union_length(ts, dur) FILTER (WHERE type <> 'communication') AS pm,
    union_length(ts, dur) FILTER (WHERE type <> 'computation') AS cm
  FROM device_work
  GROUP BY run, node, rank, span, object
),

-- Inclusion and exclusion: the time of one type without another is the time of all types minus the time of the others.
parted AS (
  SELECT
    u.*,
    s.types,
    CASE s.types
      WHEN 'computation' THEN u.busy - u.cm
      WHEN 'communication' THEN u.busy - u.pm
      WHEN 'memory' THEN u.busy - u.pc
      WHEN 'computation overlapping communication' THEN u.pm + u.cm - u.m - u.busy
      WHEN 'computation overlapping memory' THEN u.pc + u.cm - u.c - u.busy
      WHEN 'communication overlapping memory' THEN u.pc + u.pm - u.p - u.busy
      ELSE u.p + u.c + u.m - u.pc - u.pm - u.cm + u.busy
    END AS dur
  FROM united AS u
  CROSS JOIN (
    VALUES
      ('computation'),
      ('communication'),
      ('memory'),
      ('computation overlapping communication'),
      ('computation overlapping memory'),
      ('communication overlapping memory'),
      ('computation overlapping communication overlapping memory')
  ) AS s (types)
)

SELECT run, node, rank, span, types, dur, CAST(dur AS double) / busy AS ratio
FROM parted
WHERE dur > 0
ORDER BY run, node, rank, span, types
