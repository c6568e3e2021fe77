-- How far are the clocks of the ranks of each run apart?
--
-- One row per run, from the ranks with at least three collectives in `rank.clock_offsets`. Columns are null if there are fewer than two of them.
--
-- column  run          text    id     name of the run
-- column  ranks        bigint  count  ranks; null when none is known
-- column  collectives  bigint  count  collectives found on at least two ranks; minimum over the ranks
-- column  skew         bigint  ns     largest difference between two clocks
-- column  uncertainty  double  ns     half of the 95 % confidence interval of `clock_ahead`; null below three collectives; maximum over the ranks
-- column  ahead_rank   bigint  id     rank with the clock that is ahead of the others
-- column  behind_rank  bigint  id     rank with the clock that is behind the others
--
-- cache   large
-- needs   run, rank_clock_offsets
-- order   run

WITH compared AS (
  SELECT
    run,
    min(collectives) AS collectives,
    max(clock_ahead) - min(clock_ahead) AS skew,
    max(uncertainty) AS uncertainty,
    first_value(rank ORDER BY clock_ahead DESC, rank) AS ahead_rank,
    first_value(rank ORDER BY clock_ahead, rank) AS behind_rank
  FROM rank_clock_offsets
  WHERE uncertainty IS NOT NULL
  GROUP BY run
  HAVING count(*) > 1
)

SELECT r.run, r.ranks, c.* EXCLUDE (run)
FROM run AS r
LEFT JOIN compared AS c ON c.run = r.run
ORDER BY r.run
