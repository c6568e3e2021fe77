-- How much of the communication of a rank was transfer, how much waiting for others, and how much was hidden?
--
-- One row per recording of a process and name of a collective: kernels of NCCL and RCCL, and collectives that run on the host
-- (gloo). Each collective is compared with itself on the other ranks (view `collective`): what the shortest of them took is the
-- transfer, the rest is waiting for the rank that arrived last. Times are unions over the streams: what ran side by side counts
-- once.
--
-- `overlap` is the part of `communication` in which the rank computed too: computing kernels for a kernel, operators and
-- annotations of the host for a collective on the host. `late_mean` and the skew compare the starts on several ranks, which needs clocks
-- that agree; `transfer` and `synchronization` do not.
--
-- Transfer and waiting are those of the TensorBoard plugin's distributed view, which compares nothing unless all ranks have as
-- many collectives as the others. Here only a step, or a name, that differs has none (`matched` is less than `n`).
--
-- empty   there is no collective: one process alone has none; NCCL's are kernels, recorded with ProfilerActivity.CUDA
--
-- column  run                    text    id     run the recording belongs to
-- column  node                   text    id     machine
-- column  rank                   bigint  id     global rank of the process; null when unknown
-- column  span                   bigint  id     recording of the process within the run, from 0
-- column  category               text    name   kernel, or communication for collectives that ran on the host
-- column  name                   text    name   name of the kernel, or of the mark on the host
-- column  n                      bigint  count  how often it ran
-- column  matched                bigint  count  those that were found on another rank too
-- column  communication          bigint  ns     time in which at least one ran
-- column  transfer               bigint  ns     time in which one transferred; null without `matched`
-- column  synchronization        bigint  ns     the rest of the time of those that were matched; null without `matched`
-- column  synchronization_ratio  double  ratio  `synchronization` over both
-- column  overlap                bigint  ns     time in which one ran and the rank computed
-- column  overlap_ratio          double  ratio  `overlap` over `communication`
-- column  late_mean              double  ns     mean time from the first rank's start to this one's
-- column  skew_p50               double  ns     median time from the first rank's start to the last one's
-- column  skew_max               bigint  ns     longest time of that
-- column  last                   bigint  count  collectives to which this rank came last
--
-- needs   collective, event
-- order   run, node, rank, span, communication desc, name, category
-- source  kineto, nsys

WITH hosted AS (
  SELECT
    run,
    coalesce(node, '') AS node_key,
    coalesce(rank, -1) AS rank_key,
    coalesce(span, -1) AS span_key
  FROM event
  WHERE category = 'communication' AND name NOT LIKE 'nccl:%'
  GROUP BY run, coalesce(node, ''), coalesce(rank, -1), coalesce(span, -1)
),

worked AS (
  SELECT
    run,
    coalesce(node, '') AS node_key,
    coalesce(rank, -1) AS rank_key,
    coalesce(span, -1) AS span_key,
    'kernel' AS side,
    ts,
    dur
  FROM event
  WHERE
    category = 'kernel' AND NOT regexp_like(name, 'nccl', 'i') AND ts IS NOT NULL AND dur BETWEEN 1 AND 604800000000000
  UNION ALL
  SELECT
    e.run,
    h.node_key,
    h.rank_key,
    h.span_key,
    'communication' AS side,
    e.ts,
    e.dur
  FROM event AS e
  INNER JOIN hosted AS h
    ON h.run = e.run
      AND h.node_key = coalesce(e.node, '')
      AND h.rank_key = coalesce(e.rank, -1)
      AND h.span_key = coalesce(e.span, -1)
  WHERE
    e.category IN ('operator', 'annotation')
    AND coalesce(e.device, 'cpu') = 'cpu'
    AND e.ts IS NOT NULL
    AND e.dur BETWEEN 1 AND 604800000000000
),

busy AS (
  SELECT run, node_key, rank_key, span_key, side, union_intervals(ts, dur) AS intervals
  FROM worked
  GROUP BY run, node_key, rank_key, span_key, side
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
    avg(late) AS late_mean,
    median(CAST(skew AS double)) AS skew_p50,
    max(skew) AS skew_max,
    count(*) FILTER (WHERE last) AS last
  FROM collective
  GROUP BY run, node, rank, span, category, name
),

-- The parts of its collectives in which a rank computed; 0 in any case, so that every row stays.
hidden AS (
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
    s.met,
    s.transfer,
    s.late_mean,
    s.skew_p50,
    s.skew_max,
    s.last,
    unnest(array_append(covered(b.intervals, s.intervals), CAST(0 AS bigint))) AS part
  FROM summed AS s
  LEFT JOIN busy AS b
    ON b.run = s.run
      AND b.node_key = coalesce(s.node, '')
      AND b.rank_key = coalesce(s.rank, -1)
      AND b.span_key = coalesce(s.span, -1)
      AND b.side = s.category
)

SELECT
  run,
  node,
  rank,
  span,
  category,
  name,
  n,
  matched,
  communication,
  CASE WHEN matched > 0 THEN transfer END AS transfer,
  CASE WHEN matched > 0 THEN met - transfer END AS synchronization,
  CAST(met - transfer AS double) / nullif(met, 0) AS synchronization_ratio,
  sum(part) AS overlap,
  CAST(sum(part) AS double) / nullif(communication, 0) AS overlap_ratio,
  late_mean,
  skew_p50,
  skew_max,
  last
FROM hidden
GROUP BY
  run, node, rank, span, category, name, n, matched, communication, met, transfer, late_mean, skew_p50, skew_max, last
ORDER BY run, node, rank, span, communication DESC, name, category
