-- How much of the communication of a rank was transfer, how much waiting for others, and how much was hidden?
--
-- One row per recording of a process and name of a collective: kernels that move data between devices (NCCL and others), and collectives
-- that run on the host (gloo). Each collective is compared with itself on the other ranks (view `collective`). The shortest duration over
-- the ranks is the transfer. The rest is waiting for the rank that arrived last. Times are unions over the streams: parallel collectives
-- count once.
--
-- `overlap` is the part of `communication` in which the rank also computed. For a kernel, that means computing kernels. For a collective on
-- the host, it means operators and annotations of the host. `lateness_mean` and the skew compare the starts on several ranks and need
-- synchronized clocks. `transfer` and `synchronization` do not.
--
-- Transfer and waiting are those of the TensorBoard plugin's distributed view. The plugin compares nothing unless all ranks have the same
-- number of collectives. Here only a step or a name that differs has no values (`matched` is smaller than `n`).
--
-- empty   there are no collectives; a single process has none, and those of NCCL are kernels, recorded with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU)
--
-- column  run                    text    id     name of the run
-- column  node                   text    id     machine
-- column  rank                   bigint  id     global rank of the process; null when unknown
-- column  span                   bigint  id     recording of the process within the run, from 0
-- column  category               text    name   kernel, or communication for collectives that ran on the host
-- column  name                   text    name   name of the kernel, or of the mark on the host
-- column  n                      bigint  count  how often it ran
-- column  matched                bigint  count  those that were found on another rank too
-- column  communication          bigint  ns     time in which a collective ran
-- column  transfer               bigint  ns     time of the transfer itself: the shortest duration over the ranks; null without `matched`
-- column  synchronization        bigint  ns     time of waiting for the last rank: what is not `transfer`; null without `matched`
-- column  synchronization_ratio  double  ratio  `synchronization` over both
-- column  overlap                bigint  ns     time in which communication and computation both ran
-- column  overlap_ratio          double  ratio  `overlap` over `communication`
-- column  lateness_mean          double  ns     mean time from the first rank's start to this one's
-- column  skew_p50               double  ns     median time from the first rank's start to the last one's
-- column  skew_max               bigint  ns     longest time of that
-- column  times_last             bigint  count  collectives to which this rank came last
--
-- needs   collective, timed_event
-- order   run, node, rank, span, communication desc, name, category
-- source  kineto, nsys

WITH hosted AS (
  SELECT DISTINCT run, node, rank, span
  FROM timed_event
  WHERE category = 'communication' AND type = 'communication'
),

worked AS (
  SELECT
    run,
    node,
    rank,
    span,
    'kernel' AS side,
    ts,
    dur
  FROM timed_event
  WHERE type = 'computation' AND ts IS NOT NULL AND dur > 0
  UNION ALL
  SELECT
    e.run,
    h.node,
    h.rank,
    h.span,
    'communication' AS side,
    e.ts,
    e.dur
  FROM timed_event AS e
  INNER JOIN hosted AS h
    ON h.run = e.run
      AND (h.node IS NOT DISTINCT FROM e.node)
      AND (h.rank IS NOT DISTINCT FROM e.rank)
      AND (h.span IS NOT DISTINCT FROM e.span)
  WHERE
    e.category IN ('operator', 'annotation')
    AND coalesce(e.device, 'cpu') = 'cpu'
    AND e.ts IS NOT NULL
    AND e.dur > 0
),

busy AS (
  SELECT run, node, rank, span, side, union_intervals(ts, dur) AS intervals
  FROM worked
  GROUP BY run, node, rank, span, side
),

summed AS (
  SELECT
    run,
    node,
    rank,
    span,
    category,
    name,
    count(*) AS n,
    count(collective) AS matched,
    union_length(ts, dur) AS communication,
    union_intervals(ts, dur) AS intervals,
    union_length(ts, dur) FILTER (WHERE collective IS NOT NULL) AS met,
    union_length(ts + synchronization, transfer) FILTER (WHERE collective IS NOT NULL) AS transfer,
    avg(lateness) AS lateness_mean,
    median(CAST(skew AS double)) AS skew_p50,
    max(skew) AS skew_max,
    count(*) FILTER (WHERE is_last) AS times_last
  FROM collective
  GROUP BY run, node, rank, span, category, name
),

-- The collectives of a rank as one list: a join of each name with the work would copy the list of the work for each name.
listed AS (
  SELECT
    run,
    node,
    rank,
    span,
    category,
    array_agg(named_struct('name', name, 'ts', part['ts'], 'dur', part['dur'])) AS parts
  FROM (SELECT run, node, rank, span, category, name, unnest(intervals) AS part FROM summed) AS each
  GROUP BY run, node, rank, span, category
),

-- The parts of its collectives in which a rank computed.
hidden AS (
  SELECT run, node, rank, span, category, part['name'] AS name, sum(overlap) AS overlap
  FROM (
    SELECT l.* EXCLUDE (parts), unnest(l.parts) AS part, unnest(covered(b.intervals, l.parts)) AS overlap
    FROM listed AS l
    JOIN busy AS b
      ON b.run = l.run
        AND (b.node IS NOT DISTINCT FROM l.node)
        AND (b.rank IS NOT DISTINCT FROM l.rank)
        AND (b.span IS NOT DISTINCT FROM l.span)
        AND b.side = l.category
  ) AS each
  GROUP BY run, node, rank, span, category, part['name']
)

SELECT
  s.run,
  s.node,
  s.rank,
  s.span,
  s.category,
  s.name,
  s.n,
  s.matched,
  s.communication,
  CASE WHEN s.matched > 0 THEN s.transfer END AS transfer,
  CASE WHEN s.matched > 0 THEN s.met - s.transfer END AS synchronization,
  CAST(s.met - s.transfer AS double) / nullif(s.met, 0) AS synchronization_ratio,
  coalesce(h.overlap, 0) AS overlap,
  CAST(coalesce(h.overlap, 0) AS double) / nullif(s.communication, 0) AS overlap_ratio,
  s.lateness_mean,
  s.skew_p50,
  s.skew_max,
  s.times_last
FROM summed AS s
LEFT JOIN hidden AS h
  ON h.run = s.run
    AND (h.node IS NOT DISTINCT FROM s.node)
    AND (h.rank IS NOT DISTINCT FROM s.rank)
    AND (h.span IS NOT DISTINCT FROM s.span)
    AND h.category = s.category
    AND (h.name IS NOT DISTINCT FROM s.name)
ORDER BY run, node, rank, span, communication DESC, name, category
