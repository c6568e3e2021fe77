-- Which collectives ran on which rank, and how long did each wait for the other ranks?
--
-- One row per collective and rank: a kernel that moves data between devices (category `kernel`, function `is_collective`), or a collective
-- that runs on the host (category `communication`: gloo). Marks (`nccl:...`) on the host only launch a kernel and have no row.
--
-- The rows of one collective have the same number in `collective`. The view matches them by process group and sequence number if the
-- profiler wrote these on the kernel (PyTorch 2.2 and later). Otherwise it matches by order. The n-th collective of a name in a step is the
-- same on all ranks if all ranks have the same number of them in the step. If one rank has more in a step than another, because one crosses
-- the end of the step, the view matches the n-th collective of the whole recording. This requires that the recordings have the same number
-- of collectives and the same steps.
--
-- `collective` is null for a row that has no match on another rank, for collectives of a process without a rank, and for single sends and
-- receives.
--
-- A collective ends on all ranks at about the same time, when the last rank to arrive has sent its data. So the shortest duration over the
-- ranks is the time of the transfer itself (`transfer`). The rest of a rank's duration is waiting for the last rank (`synchronization`).
-- Both are durations and do not need synchronized clocks. `lateness` and `skew` compare start times and do need them. The TensorBoard
-- plugin of PyTorch defines both durations in the same way.
--
-- Excluded: rows without a time or a duration; durations below 0 or above seven days, which come from clocks that overflowed.
--
-- column  run              text     id     name of the run
-- column  node             text     id     machine
-- column  rank             bigint   id     global rank of the process; null when unknown
-- column  span             bigint   id     recording of the process within the run, from 0
-- column  step             bigint   id     step number as the profiler wrote it; null outside of all steps
-- column  device           text     name   device it ran on; null or cpu for one that ran on the host
-- column  stream           bigint   id     stream of the device
-- column  category         text     name   kernel, or communication for one that ran on the host
-- column  name             text     name   name of the kernel, or of the mark on the host
-- column  process_group    text     name   name of the process group; null where the profiler wrote none
-- column  ts               bigint   time   start
-- column  dur              bigint   ns     duration
-- column  collective       bigint   id     number of the collective in the run; null when found on no other rank
-- column  ranks            bigint   count  ranks
-- column  transfer         bigint   ns     time of the transfer itself: the shortest duration over the ranks
-- column  synchronization  bigint   ns     time of waiting for the last rank: what is not `transfer`
-- column  lateness         bigint   ns     how long after the first rank this one started
-- column  skew             bigint   ns     how long after the first rank the last one started
-- column  is_last          boolean  flag   whether this rank arrived last, which is to say had the shortest duration
-- column  object           bigint   id     file of the row, see table object
-- column  row              bigint   id     ordinal of the row in its file
--
-- needs   run, collective_call
-- order   run, ts, object, row
-- source  kineto, nsys

-- `family` numbers the distinct combinations of five columns in a run: sorting by one number is faster than by five columns.
WITH numbered AS (
  SELECT
    *,
    dense_rank() OVER (PARTITION BY run ORDER BY span, category, process_group, name, alone) AS family,
    CASE WHEN sequence_number IS NULL THEN step END AS within
  FROM collective_call
),

-- The number of calls of a family per rank, in the step and in the recording, and the position of each call in both.
counted AS (
  SELECT
    *,
    count(*) OVER (PARTITION BY run, family, sequence_number, within, node, rank) AS n_within,
    row_number() OVER (PARTITION BY run, family, sequence_number, within, node, rank ORDER BY ts, object, row) AS place_within,
    count(*) OVER recorded AS n_recorded,
    row_number() OVER (PARTITION BY run, family, node, rank ORDER BY ts, object, row) AS place_recorded,
    coalesce(min(step) OVER recorded, -1) AS first_step,
    coalesce(max(step) OVER recorded, -1) AS last_step
  FROM numbered
  WINDOW recorded AS (PARTITION BY run, family, node, rank)
),

judged AS (
  SELECT
    *,
    min(n_within) OVER inside = max(n_within) OVER inside AS even_within,
    count(*) FILTER (WHERE place_within = 1) OVER inside AS ranks_within,
    min(n_recorded) OVER whole = max(n_recorded) OVER whole
      AND min(first_step) OVER whole = max(first_step) OVER whole
      AND min(last_step) OVER whole = max(last_step) OVER whole
      AS even_recorded,
    count(*) FILTER (WHERE place_recorded = 1) OVER whole AS ranks_recorded
  FROM counted
  WINDOW
    inside AS (PARTITION BY run, family, sequence_number, within),
    whole AS (PARTITION BY run, family)
),

placed AS (
  SELECT
    *,
    CASE
      WHEN alone THEN 'none'
      WHEN even_within AND (ranks_within = ranks_recorded OR NOT even_recorded) THEN 'within'
      WHEN even_recorded THEN 'recorded'
      ELSE 'none'
    END AS how
  FROM judged
),

keyed AS (
  SELECT
    *,
    CASE WHEN how = 'within' THEN sequence_number END AS key_sequence,
    CASE WHEN how = 'within' THEN within END AS key_step,
    CASE how WHEN 'within' THEN place_within WHEN 'recorded' THEN place_recorded END AS key_place
  FROM placed
),

met AS (
  SELECT
    *,
    how <> 'none' AND count(*) OVER instance > 1 AS is_met,
    count(*) OVER instance AS n,
    min(dur) OVER instance AS shortest,
    min(ts) OVER instance AS first_ts,
    max(ts) OVER instance AS last_ts,
    row_number() OVER (
      PARTITION BY run, family, how, key_sequence, key_step, key_place
      ORDER BY dur, ts DESC, rank, node
    ) = 1 AS is_last
  FROM keyed
  WINDOW instance AS (PARTITION BY run, family, how, key_sequence, key_step, key_place)
)

SELECT
  run,
  node,
  rank,
  span,
  step,
  device,
  stream,
  category,
  name,
  process_group,
  ts,
  dur,
  CASE
    WHEN is_met
      THEN CAST(
        dense_rank() OVER (
          PARTITION BY run, is_met ORDER BY first_ts, family, how, key_sequence, key_step, key_place
        ) AS bigint
      )
  END AS collective,
  CASE WHEN is_met THEN n END AS ranks,
  CASE WHEN is_met THEN shortest END AS transfer,
  CASE WHEN is_met THEN dur - shortest END AS synchronization,
  CASE WHEN is_met AND has_epoch THEN ts - first_ts END AS lateness,
  CASE WHEN is_met AND has_epoch THEN last_ts - first_ts END AS skew,
  CASE WHEN is_met AND has_epoch THEN is_last END AS is_last,
  object,
  row
FROM met
-- Times of two files without an epoch cannot be compared.
JOIN (SELECT run, has_epoch FROM run) USING (run)
ORDER BY run, ts, object, row
