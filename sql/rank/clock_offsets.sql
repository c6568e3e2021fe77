-- How far are the clocks of the ranks apart?
--
-- One row per rank that took part in a collective that another rank recorded too (view `collective`). An all-reduce, all-gather,
-- reduce-scatter, all-to-all or barrier ends on all ranks at about the same time. So the difference of its recorded ends is the
-- difference of the clocks. `clock_ahead` is the median of these differences. The reference is the lowest rank of the run. A rank without a
-- common collective with it is compared with the mean of the ranks that have one.
--
-- `uncertainty` is half of the 95 % confidence interval of the median, from the median absolute deviation. It does not cover what all
-- collectives have in common: one rank may always see their ends some microseconds later than another. A rank without a common collective
-- with the reference also has the largest uncertainty of the ranks that stand in for it.
--
-- Excluded: runs without an epoch, because their files have clocks of their own; broadcasts and reductions to one rank, which end earlier
-- on some ranks.
--
-- empty   no collective was found on two ranks; a single process has none, and a trace has collectives if it was recorded with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU)
--
-- column  run             text    id     name of the run
-- column  node            text    id     machine
-- column  rank            bigint  id     global rank of the process
-- column  reference_rank  bigint  id     rank with the clock that the others are compared with
-- column  collectives     bigint  count  collectives found on at least two ranks
-- column  clock_ahead     bigint  ns     how far its clock is ahead of that of the reference; negative if it is behind
-- column  uncertainty     double  ns     half of the 95 % confidence interval of `clock_ahead`; null below three collectives
--
-- needs   run, collective
-- order   run, node, rank
-- source  kineto, nsys

WITH ended AS (
  SELECT
    run,
    node,
    rank,
    collective,
    -- Relative to the first start, so that a mean of these times is exact.
    ts - min(ts) OVER (PARTITION BY run) + dur AS till,
    min(rank) OVER (PARTITION BY run) AS reference_rank
  FROM collective
  JOIN (SELECT run, has_epoch FROM run) USING (run)
  WHERE
    collective IS NOT NULL
    AND has_epoch
    AND regexp_like(name, 'all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|barrier', 'i')
),

direct AS (
  SELECT *, till - max(CASE WHEN rank = reference_rank THEN till END) OVER (PARTITION BY run, collective) AS ahead
  FROM ended
),

rank_clocks AS (
  SELECT *, median(ahead) OVER (PARTITION BY run, node, rank) AS known_ahead
  FROM direct
),

-- Where the reference did not take part, the other ranks with a known clock are used to estimate its time.
compared AS (
  SELECT
    *,
    CASE
      WHEN known_ahead IS NULL THEN till - avg(till - known_ahead) OVER (PARTITION BY run, collective)
      ELSE ahead
    END AS difference
  FROM rank_clocks
),

deviating AS (
  SELECT *, abs(difference - median(difference) OVER (PARTITION BY run, node, rank)) AS deviation
  FROM compared
  WHERE difference IS NOT NULL
),

-- 3.642 is 1.96 times 1.253 (standard error of a median over that of a mean) times 1.4826 (standard deviation over median absolute deviation).
clocks AS (
  SELECT
    run,
    node,
    rank,
    reference_rank,
    count(*) AS collectives,
    TRY_CAST(round(median(difference)) AS bigint) AS clock_ahead,
    CASE WHEN count(*) > 2 THEN 3.642 * median(CAST(deviation AS double)) / sqrt(count(*)) END AS uncertainty,
    known_ahead IS NULL AS is_indirect
  FROM deviating
  GROUP BY run, node, rank, reference_rank, known_ahead
)

SELECT
  * EXCLUDE (uncertainty, is_indirect),
  uncertainty + CASE WHEN is_indirect THEN max(CASE WHEN NOT is_indirect THEN uncertainty END) OVER (PARTITION BY run) ELSE 0 END AS uncertainty
FROM clocks
ORDER BY run, node, rank
