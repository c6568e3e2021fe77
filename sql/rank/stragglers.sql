-- Which ranks do the others wait for, and how long?
--
-- One row per rank that took part in a collective which another rank recorded too (view `collective`). To each such collective one
-- rank comes last, and the others wait for it: `held_up` adds up what they waited, over all of them, `delay` how much sooner the
-- collective had begun to transfer if this rank had come with the last but one. A straggler has a large `held_up_ratio` and waits
-- little itself. `rank.imbalance` says what it was doing meanwhile, `step.breakdown` when.
--
-- The rank that comes last is the one with the shortest duration, since all end together: unlike the latest start, that needs no
-- clocks that agree. HTA's `get_potential_stragglers` goes by the start of one kernel on one stream in each step, names the
-- candidates only, and knows no kernels of NCCL 2.19 and later.
--
-- empty   no collective was found on two ranks: one process alone has none, and a trace has those that ProfilerActivity.CUDA recorded
--
-- column  run            text    id     run the rank belongs to
-- column  node           text    id     machine
-- column  rank           bigint  id     global rank of the process
-- column  collectives    bigint  count  collectives that were found on another rank too
-- column  last           bigint  count  those to which this rank came last
-- column  last_ratio     double  ratio  `last` over `collectives`
-- column  held_up        bigint  ns     time that other ranks waited for this one, added up over them
-- column  held_up_ratio  double  ratio  `held_up` over that of all ranks of the run
-- column  delay          bigint  ns     time by which this rank alone held the collectives up
-- column  delay_max      bigint  ns     longest delay of a single collective
-- column  waited         bigint  ns     time that this rank waited for others
-- column  late_mean      double  ns     mean time from the first rank's start to this one's, by the clocks of the machines
--
-- needs   collective
-- order   run, held_up desc, node, rank
-- source  kineto, nsys

WITH told AS (
  SELECT
    run,
    node,
    rank,
    late,
    synchronization,
    last,
    sum(synchronization) OVER (PARTITION BY run, collective) AS caused,
    min(CASE WHEN NOT last THEN synchronization END) OVER (PARTITION BY run, collective) AS delay
  FROM collective
  WHERE collective IS NOT NULL
),

summed AS (
  SELECT
    run,
    node,
    rank,
    count(*) AS collectives,
    count(*) FILTER (WHERE last) AS last,
    coalesce(sum(caused) FILTER (WHERE last), 0) AS held_up,
    coalesce(sum(delay) FILTER (WHERE last), 0) AS delay,
    max(delay) FILTER (WHERE last) AS delay_max,
    sum(synchronization) AS waited,
    avg(late) AS late_mean
  FROM told
  GROUP BY run, node, rank
)

SELECT
  run,
  node,
  rank,
  collectives,
  last,
  CAST(last AS double) / collectives AS last_ratio,
  held_up,
  CAST(held_up AS double) / nullif(sum(held_up) OVER (PARTITION BY run), 0) AS held_up_ratio,
  delay,
  delay_max,
  waited,
  late_mean
FROM summed
ORDER BY run, held_up DESC, node, rank
