-- Between which batches did each run lose time although the next batch was ready, and what share of its loop was computing?
--
-- One row per run. A pause is a batch, not the first of its pass, that took at least twice the median of its loop (smdebug's limit for
-- batches). More than half of the time beyond the median must be work, not waiting for data. The row is that of the loop with the largest
-- share of pauses (view `loader_batch`). `computing` is the accelerator utilization of MLPerf Storage (`loader.utilization`) without first
-- batches, as the mean over the loops. Columns are null if the work on the batches is not known.
--
-- Both limits classify single batches, and this view has only sums per run. They are therefore not parameters of the finding.
-- `loader.batch_time_outliers` accepts another factor.
--
-- column  run          text    id     name of the run
-- column  rank         bigint  id     global rank of the process; null when unknown
-- column  batches      bigint  count  its batches, the first of each pass excluded
-- column  total        bigint  ns     time that the ratios of the row are a share of
-- column  batch_p50    double  ns     median of these
-- column  pauses       bigint  count  pauses
-- column  pause_extra  bigint  ns     what they took beyond the median
-- column  pause_ratio  double  ratio  that over `total`
-- column  pause_max    bigint  ns     longest batch of a pause; null without one
-- column  period       bigint  count  batches from one pause to the next where that is always the same; null below three
-- column  loops        bigint  count  loops with a known `computing`
-- column  computing    double  ratio  computing over computing and waiting
-- column  measured     bigint  count  batches that this rests on
-- column  why          text    text   why the result is null; else null
--
-- cache   large
-- needs   run, loader_batch, loader_share, loader_utilization
-- order   run

WITH timed AS (
  SELECT
    *,
    median(CAST(step_dur AS double)) OVER (PARTITION BY run, node, rank, pid, loader, object) AS step_p50,
    median(CAST(compute AS double)) OVER (PARTITION BY run, node, rank, pid, loader, object) AS compute_p50
  FROM loader_batch
  WHERE NOT is_first AND step_dur IS NOT NULL AND compute IS NOT NULL AND variant IS DISTINCT FROM 'ideal'
),

paused AS (
  SELECT *, step_dur >= 2 * step_p50 AND 2 * (compute - compute_p50) > step_dur - step_p50 AS pause
  FROM timed
),

-- `gap` is the number of batches from one pause to the next.
followed AS (
  SELECT
    *,
    CASE
      WHEN pause THEN position - lag(position) OVER (PARTITION BY run, node, rank, pid, loader, object, pause ORDER BY position)
    END AS gap
  FROM paused
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
    sum(step_dur) AS total,
    min(step_p50) AS batch_p50,
    count(*) FILTER (WHERE pause) AS pauses,
    TRY_CAST(round(coalesce(sum(step_dur - step_p50) FILTER (WHERE pause), 0)) AS bigint) AS extra,
    max(CASE WHEN pause THEN step_dur END) AS pause_max,
    CASE WHEN count(gap) > 1 AND min(gap) = max(gap) THEN min(gap) END AS period
  FROM followed
  GROUP BY run, node, rank, pid, loader, object
  QUALIFY row_number() OVER (
    PARTITION BY run ORDER BY CAST(extra AS double) / nullif(total, 0) DESC NULLS LAST, batches DESC, rank, node, pid, loader, object
  ) = 1
),

counted AS (
  SELECT run, sum(batches) AS measured
  FROM loader_share
  WHERE measure IN ('steps', 'calls')
  GROUP BY run
),

computed AS (
  SELECT run, count(accelerator_utilization_rest) AS loops, avg(accelerator_utilization_rest) AS computing, min(why) AS why
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
LEFT JOIN loops AS l ON l.run = r.run
LEFT JOIN computed AS c ON c.run = r.run
LEFT JOIN counted AS n ON n.run = r.run
ORDER BY r.run
