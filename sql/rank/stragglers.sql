-- Which ranks do the others wait for, and how long?
--
-- One row per rank that took part in a collective that another rank recorded too (view `collective`). In each such collective, one rank
-- comes last and the others wait for it. `held_up` adds up their waiting time, over all of these ranks and collectives. `caused_delay` is
-- how much sooner the collectives would have begun to transfer if this rank had come together with the second-to-last rank. A straggler has
-- a large `held_up_ratio` and waits little itself. `rank.imbalance` shows what it was doing in the meantime, `step.breakdown` shows when.
--
-- The rank that comes last is the one with the shortest duration, because all ranks end together. Unlike the latest start, that needs no
-- synchronized clocks. HTA's `get_potential_stragglers` uses the start of one kernel on one stream in each step. It only names the
-- candidates, and does not know kernels of NCCL 2.19 and later.
--
-- empty   no collective was found on two ranks; a single process has none, and a trace has collectives if it was recorded with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU)
--
-- column  run               text    id     name of the run
-- column  node              text    id     machine
-- column  rank              bigint  id     global rank of the process
-- column  collectives       bigint  count  collectives found on at least two ranks
-- column  times_last        bigint  count  collectives to which this rank came last
-- column  last_ratio        double  ratio  `times_last` over `collectives`
-- column  held_up           bigint  ns     time that other ranks waited for this one, added up over them
-- column  held_up_ratio     double  ratio  `held_up` over that of all ranks of the run
-- column  caused_delay      bigint  ns     time by which this rank alone held the collectives up
-- column  caused_delay_max  bigint  ns     longest delay that it caused in a single collective
-- column  waited            bigint  ns     time that this rank waited for others
-- column  lateness_mean     double  ns     mean time from the first rank's start to this one's; by the clocks of the machines
--
-- needs   collective
-- order   run, held_up desc, node, rank
-- source  kineto, nsys

WITH causes AS (
  SELECT
    *,
    sum(synchronization) OVER (PARTITION BY run, collective) AS caused,
    min(CASE WHEN NOT is_last THEN synchronization END) OVER (PARTITION BY run, collective) AS caused_delay
  FROM collective
  WHERE collective IS NOT NULL
),

summed AS (
  SELECT
    run,
    node,
    rank,
    count(*) AS collectives,
    count(*) FILTER (WHERE is_last) AS times_last,
    coalesce(sum(caused) FILTER (WHERE is_last), 0) AS held_up,
    coalesce(sum(caused_delay) FILTER (WHERE is_last), 0) AS caused_delay,
    max(caused_delay) FILTER (WHERE is_last) AS caused_delay_max,
    sum(synchronization) AS waited,
    avg(lateness) AS lateness_mean
  FROM causes
  GROUP BY run, node, rank
)

SELECT
  *,
  CAST(times_last AS double) / collectives AS last_ratio,
  CAST(held_up AS double) / nullif(sum(held_up) OVER (PARTITION BY run), 0) AS held_up_ratio
FROM summed
ORDER BY run, held_up DESC, node, rank
