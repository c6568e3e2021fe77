-- How do the ranks of each run work together, which rank is late, and which one waits longest for its data?
--
-- One row per run. `late_rank` is the rank that delayed its collectives most (`rank.stragglers`). `late_excess` is the difference to the
-- rank with the next longest delay. So if ranks alternate in being late, none of them is blamed. `late_role` is the part of a step in which
-- this rank exceeds the lowest rank by the most time (`rank.imbalance`), without collectives.
--
-- Waiting for data is that of `loader.share`, as a mean per batch for each rank. Hidden communication is that of `kernel.comm_overlap`, for
-- collectives that are kernels. Events in a trace with the names of the wrappers show that a wrapper was used.
--
-- column  run              text     id     name of the run
-- column  traced           boolean  flag   whether a trace of the PyTorch profiler was read
-- column  ranks            bigint   count  ranks; null when none is known
-- column  world_size       bigint   count  ranks of the job; null when not recorded
-- column  backend          text     name   backend of the collectives; null when not recorded
-- column  data_parallel    boolean  flag   whether DataParallel was called; null without a trace
-- column  distributed      boolean  flag   whether DistributedDataParallel was called; null without a trace
-- column  collectives      bigint   count  collectives found on at least two ranks; null when none was
-- column  late_rank        bigint   id     rank that held them up for longest
-- column  late_excess      bigint   ns     how much longer than the next rank
-- column  late_last        double   ratio  share of the collectives to which it came last
-- column  late_role        text     name   what it had most more of than others; null when nothing tells
-- column  late_role_extra  double   ns     how much more per step
-- column  loading          bigint   count  ranks with a known wait for data
-- column  load_rank        bigint   id     rank that waits longest for a batch; null below two of them
-- column  load_most        double   ns     its mean wait for a batch
-- column  load_p50         double   ns     median wait
-- column  load_relative    double   ratio  `load_most` less `load_p50`, over the mean time of a batch
-- column  load_extra       bigint   ns     that difference, over all its batches
-- column  batches          bigint   count  its batches
-- column  communication    bigint   ns     time in which a collective ran; kernels of collectives, over all ranks; null without kernels in a trace
-- column  exposed          bigint   ns     time in which a communicating kernel ran and no computing one
--
-- cache   large
-- needs   run, object, event, run_attribute, rank_stragglers, rank_imbalance, loader_share, kernel_comm_overlap
-- order   run

WITH traced AS (
  SELECT DISTINCT run
  FROM object
  WHERE format = 'kineto'
),

attributes AS (
  SELECT
    run,
    max(CASE WHEN key IN ('world_size', 'recorder.world_size') THEN TRY_CAST(value AS bigint) END) AS world_size,
    max(CASE WHEN key = 'backend' THEN lower(value) END) AS backend
  FROM run_attribute
  WHERE key IN ('world_size', 'recorder.world_size', 'backend')
  GROUP BY run
),

wrapped AS (
  SELECT
    run,
    bool_or(name = 'DataParallel.forward') AS data_parallel,
    bool_or(name = 'DistributedDataParallel.forward') AS distributed
  FROM event
  WHERE name IN ('DataParallel.forward', 'DistributedDataParallel.forward')
  GROUP BY run
),

delayed AS (
  SELECT
    *,
    caused_delay - coalesce(lead(caused_delay) OVER late, 0) AS late_excess,
    row_number() OVER late AS place
  FROM rank_stragglers
  WINDOW late AS (PARTITION BY run ORDER BY caused_delay DESC, rank)
),

uneven AS (
  SELECT i.run, i.part, i.spread
  FROM rank_imbalance AS i
  JOIN delayed AS d ON d.run = i.run AND d.rank = i.max_rank AND d.place = 1
  WHERE i.part NOT IN ('step', 'communication') AND i.spread > 0
  QUALIFY row_number() OVER (PARTITION BY i.run ORDER BY i.spread DESC, i.part) = 1
),

loaded AS (
  SELECT
    run,
    measure,
    rank,
    sum(steps) AS batches,
    CAST(sum(load) AS double) / nullif(sum(steps), 0) AS load,
    CAST(sum(total) AS double) / nullif(sum(steps), 0) AS step
  FROM loader_share
  WHERE load IS NOT NULL AND rank IS NOT NULL
  GROUP BY run, measure, rank
),

compared AS (
  SELECT
    run,
    count(*) AS ranks,
    first_value(rank ORDER BY load DESC, rank) AS rank,
    first_value(batches ORDER BY load DESC, rank) AS batches,
    max(load) AS most,
    median(load) AS p50,
    avg(step) AS step,
    row_number() OVER (PARTITION BY run ORDER BY count(*) DESC, measure) AS place
  FROM loaded
  GROUP BY run, measure
),

hidden AS (
  SELECT o.run, TRY_CAST(sum(o.communication) AS bigint) AS communication, TRY_CAST(sum(o.exposed) AS bigint) AS exposed
  FROM kernel_comm_overlap AS o
  JOIN traced AS t ON t.run = o.run
  GROUP BY o.run
)

SELECT
  r.run,
  t.run IS NOT NULL AS traced,
  r.ranks,
  s.world_size,
  s.backend,
  CASE WHEN t.run IS NOT NULL THEN coalesce(w.data_parallel, false) END AS data_parallel,
  CASE WHEN t.run IS NOT NULL THEN coalesce(w.distributed, false) END AS distributed,
  d.collectives,
  d.rank AS late_rank,
  TRY_CAST(d.late_excess AS bigint) AS late_excess,
  d.last_ratio AS late_last,
  u.part AS late_role,
  u.spread AS late_role_extra,
  l.ranks AS loading,
  CASE WHEN l.ranks > 1 THEN l.rank END AS load_rank,
  CASE WHEN l.ranks > 1 THEN l.most END AS load_most,
  CASE WHEN l.ranks > 1 THEN l.p50 END AS load_p50,
  CASE WHEN l.ranks > 1 THEN (l.most - l.p50) / nullif(l.step, 0) END AS load_relative,
  CASE WHEN l.ranks > 1 THEN TRY_CAST(round((l.most - l.p50) * l.batches) AS bigint) END AS load_extra,
  TRY_CAST(l.batches AS bigint) AS batches,
  h.communication,
  h.exposed
FROM run AS r
LEFT JOIN traced AS t ON t.run = r.run
LEFT JOIN attributes AS s ON s.run = r.run
LEFT JOIN wrapped AS w ON w.run = r.run
LEFT JOIN delayed AS d ON d.run = r.run AND d.place = 1
LEFT JOIN uneven AS u ON u.run = r.run
LEFT JOIN compared AS l ON l.run = r.run AND l.place = 1
LEFT JOIN hidden AS h ON h.run = r.run
ORDER BY r.run
