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
-- The ratio is null for runs with device work that could not be read (view `unread_device`).
--
-- empty   no device work with known times was recorded; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- column  run    text    id     name of the run
-- column  node   text    id     machine
-- column  rank   bigint  id     global rank of the process; null when unknown
-- column  span   bigint  id     recording of the process within the run, from 0
-- column  types  text    name   types that ran at the same time
-- column  dur    bigint  ns     time in which exactly these ran
-- column  ratio  double  ratio  `dur` over the time in which anything ran
--
-- needs   device_work, unread_device
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
    *,
    unnest([
      named_struct('types', 'computation', 'dur', busy - cm),
      named_struct('types', 'communication', 'dur', busy - pm),
      named_struct('types', 'memory', 'dur', busy - pc),
      named_struct('types', 'computation overlapping communication', 'dur', pm + cm - m - busy),
      named_struct('types', 'computation overlapping memory', 'dur', pc + cm - c - busy),
      named_struct('types', 'communication overlapping memory', 'dur', pc + pm - p - busy),
      named_struct('types', 'computation overlapping communication overlapping memory', 'dur', p + c + m - pc - pm - cm + busy)
    ]) AS part
  FROM united
),

shares AS (
  SELECT run, node, rank, span, part['types'] AS types, part['dur'] AS dur, CAST(part['dur'] AS double) / busy AS ratio
  FROM parted
  WHERE part['dur'] > 0
)

SELECT s.* REPLACE (CASE WHEN u.run IS NULL THEN s.ratio END AS ratio)
FROM shares AS s
LEFT JOIN unread_device AS u ON u.run = s.run
ORDER BY run, node, rank, span, types
