-- Between which batches of each run passed much time although the next batch was there, and what share of its loop was computing?
--
-- One row per run. A pause is a batch, not the first of its pass, that took at least twice the median of its loop (smdebug's limit for batches) and spent
-- more of what it took beyond that on work than on waiting for data. The loop is the one whose pauses took the greatest share of it (view
-- `loader_batch`). `computing` is the accelerator utilization of MLPerf Storage (`loader.utilization`), first batches left out, mean over the
-- loops. Nulls where the work on the batches is not known.
--
-- Both limits tell single batches, of which a run keeps sums: they are no parameters of the finding. `loader.batch_time_outliers` answers for
-- another factor.
--
-- column  run          text    id     run
-- column  rank         bigint  id     rank of the loop; null when unknown
-- column  batches      bigint  count  its batches, the first of each pass left out
-- column  total        bigint  ns     time of these
-- column  batch_p50    double  ns     median of these
-- column  pauses       bigint  count  pauses
-- column  pause_extra  bigint  ns     what they took beyond the median
-- column  pause_ratio  double  ratio  that over `total`
-- column  pause_max    bigint  ns     longest batch of a pause; null without one
-- column  period       bigint  count  batches from one pause to the next where that is always the same; null below three
-- column  loops        bigint  count  loops of which `computing` is known
-- column  computing    double  ratio  computing over computing and waiting
-- column  measured     bigint  count  batches that this rests on
-- column  why          text    text   why it is not known although batches were recorded; else null
--
-- cache   large
-- needs   run, loader_batch, loader_share, loader_utilization
-- order   run

WITH timed AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    place,
    step,
    compute,
    median(CAST(step AS double)) OVER (PARTITION BY run, node, rank, pid, loader, object) AS step_p50,
    median(CAST(compute AS double)) OVER (PARTITION BY run, node, rank, pid, loader, object) AS compute_p50
  FROM loader_batch
  WHERE NOT first AND step IS NOT NULL AND compute IS NOT NULL AND variant IS DISTINCT FROM 'ideal'
),

paused AS (
  SELECT *, step >= 2 * step_p50 AND 2 * (compute - compute_p50) > step - step_p50 AS pause
  FROM timed
),

gaps AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    place - lag(place) OVER (PARTITION BY run, node, rank, pid, loader, object ORDER BY place) AS gap
  FROM paused
  WHERE pause
),

periods AS (
  SELECT run, node, rank, pid, loader, object, min(gap) AS period
  FROM gaps
  GROUP BY run, node, rank, pid, loader, object
  HAVING count(gap) > 1 AND min(gap) = max(gap)
),

loops AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    count(*) AS batches,
    sum(step) AS total,
    min(step_p50) AS batch_p50,
    count(*) FILTER (WHERE pause) AS pauses,
    TRY_CAST(round(coalesce(sum(step - step_p50) FILTER (WHERE pause), 0)) AS bigint) AS extra,
    max(CASE WHEN pause THEN step END) AS pause_max
  FROM paused
  GROUP BY run, node, rank, pid, loader, object
),

ranked AS (
  SELECT
    l.*,
    p.period,
    row_number() OVER (
      PARTITION BY l.run ORDER BY CAST(l.extra AS double) / nullif(l.total, 0) DESC NULLS LAST, l.batches DESC, l.rank, l.node, l.pid,
      l.loader, l.object
    ) AS place
  FROM loops AS l
  LEFT JOIN periods AS p
    ON
      p.run = l.run
      AND (p.node IS NOT DISTINCT FROM l.node)
      AND (p.rank IS NOT DISTINCT FROM l.rank)
      AND (p.pid IS NOT DISTINCT FROM l.pid)
      AND (p.loader IS NOT DISTINCT FROM l.loader)
      AND (p.object IS NOT DISTINCT FROM l.object)
),

counted AS (
  SELECT run, sum(batches) AS measured
  FROM loader_share
  WHERE measure IN ('steps', 'calls')
  GROUP BY run
),

computed AS (
  SELECT run, count(utilization_rest) AS loops, avg(utilization_rest) AS computing, min(why) AS why
  FROM loader_utilization
  GROUP BY run
)

SELECT
  r.run,
  l.rank,
  l.batches,
  l.total,
  l.batch_p50,
  l.pauses,
  l.extra AS pause_extra,
  CAST(l.extra AS double) / nullif(l.total, 0) AS pause_ratio,
  l.pause_max,
  l.period,
  c.loops,
  c.computing,
  CASE WHEN c.computing IS NOT NULL THEN TRY_CAST(n.measured AS bigint) END AS measured,
  CASE WHEN c.computing IS NULL THEN c.why END AS why
FROM run AS r
LEFT JOIN ranked AS l ON l.run = r.run AND l.place = 1
LEFT JOIN computed AS c ON c.run = r.run
LEFT JOIN counted AS n ON n.run = r.run
ORDER BY r.run
