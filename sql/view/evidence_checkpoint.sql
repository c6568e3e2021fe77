-- How long did each run pause between its steps, and were checkpoints the reason?
--
-- One row per run. A gap is the time from the end of the last step of a recording to the start of the next one, in any mode. A gap is long
-- if it lasts at least twice the median step of the run. A checkpoint explains a gap if saving took at least a tenth of it. Saving is an
-- event with a matching name, on any rank, or a time in which disks were written to at more than 10 MB/s and more than ten times the median
-- of the machine. If a run has several recordings, the row is that of the recording with the most time in such gaps.
--
-- These limits are not parameters of the finding: they classify single gaps and samples, and this view has only one row per run.
--
-- A report of a profiler of Lightning has the time of saving and the time of the loop (view `action_fit`). If a run has several of these
-- sources, a source with enough data has priority. Among those, the row is that of the largest share.
--
-- column  run                text     id     name of the run
-- column  steps              bigint   count  steps of the recording, or batches of the report; null when no step has a time, or unknown
-- column  rank               bigint   id     global rank of the process; null when unknown
-- column  gaps               bigint   count  long gaps between steps; null in a report
-- column  gap_dur            bigint   ns     time of the long gaps; null in a report
-- column  stalls             bigint   count  long gaps in which something was saved, or checkpoints of a report; null when unknown
-- column  stall_dur          bigint   ns     time of these gaps, or time of saving in a report; null when unknown
-- column  stall_max          bigint   ns     the longest of these gaps; null without such a gap and in a report
-- column  total              bigint   ns     time that the ratios of the row are a share of
-- column  share              double   ratio  `stall_dur` over `total`
-- column  has_saving_record  boolean  flag   whether events of saving, disk writes, or the checkpoints of a report are on record; null without steps and report
-- column  source             text     name   steps or report; null when there are neither
--
-- cache   large
-- needs   run, step, timed_event, system_sample, action_fit
-- order   run

WITH timed AS (
  SELECT
    *,
    max(ts + dur) OVER (
      PARTITION BY run, node, rank, span ORDER BY ts, dur ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS ended,
    median(dur) OVER (PARTITION BY run) AS usual
  FROM step
  WHERE ts IS NOT NULL AND dur > 0
),

writes AS (
  SELECT
    *,
    lag(ts) OVER (PARTITION BY run, node ORDER BY ts) AS since,
    median(value) OVER (PARTITION BY run, node) AS usual
  FROM system_sample
  WHERE resource = 'io' AND metric = 'write' AND unit = 'bytes_per_s' AND ts IS NOT NULL
),

saves AS (
  SELECT run, ts, dur
  FROM timed_event
  WHERE
    dur > 0
    AND regexp_like(name, 'checkpoint|save_(pretrained|model|state)|torch[./]save|serialization\.py.*: _?save', 'i')
  UNION ALL
  SELECT run, since AS ts, ts - since AS dur
  FROM writes
  WHERE since IS NOT NULL AND value > 1e7 AND value > 10 * usual
),

saved AS (
  SELECT run, union_intervals(ts, dur) AS intervals
  FROM saves
  GROUP BY run
),

watched AS (
  SELECT DISTINCT run
  FROM writes
),

-- Collect the gaps of a run in a list, so that its intervals of saving are stored once.
gap AS (
  SELECT
    run,
    array_agg(named_struct('ts', ended, 'dur', ts - ended, 'node', node, 'rank', rank, 'span', span)) AS gaps
  FROM timed
  WHERE ts - ended >= 2 * usual
  GROUP BY run
),

looked AS (
  SELECT g.run, unnest(g.gaps) AS gap, unnest(covered(s.intervals, g.gaps)) AS saving
  FROM gap AS g
  LEFT JOIN saved AS s ON s.run = g.run
),

judged AS (
  SELECT
    run,
    gap['node'] AS node,
    gap['rank'] AS rank,
    gap['span'] AS span,
    gap['dur'] AS dur,
    coalesce(saving >= 0.1 * gap['dur'] AND saving > 0, false) AS is_held
  FROM looked
),

summed AS (
  SELECT
    run,
    node,
    rank,
    span,
    count(*) AS gaps,
    sum(dur) AS gap_dur,
    count(*) FILTER (WHERE is_held) AS stalls,
    sum(CASE WHEN is_held THEN dur ELSE 0 END) AS stall_dur,
    max(CASE WHEN is_held THEN dur END) AS stall_max
  FROM judged
  GROUP BY run, node, rank, span
),

recorded AS (
  SELECT run, node, rank, span, count(*) AS steps, max(ts + dur) - min(ts) AS total
  FROM timed
  GROUP BY run, node, rank, span
),

ranked AS (
  SELECT
    d.*,
    coalesce(s.gaps, 0) AS gaps,
    coalesce(s.gap_dur, 0) AS gap_dur,
    coalesce(s.stalls, 0) AS stalls,
    coalesce(s.stall_dur, 0) AS stall_dur,
    s.stall_max,
    row_number() OVER (
      PARTITION BY d.run ORDER BY coalesce(s.stall_dur, 0) DESC, coalesce(s.gap_dur, 0) DESC, d.steps DESC, d.node, d.rank, d.span
    ) AS place
  FROM recorded AS d
  LEFT JOIN summed AS s
    ON
      s.run = d.run
      AND (s.node IS NOT DISTINCT FROM d.node)
      AND (s.rank IS NOT DISTINCT FROM d.rank)
      AND (s.span IS NOT DISTINCT FROM d.span)
),

candidates AS (
  SELECT
    k.run,
    'steps' AS source,
    k.rank,
    k.steps,
    k.gaps,
    k.gap_dur,
    k.stalls,
    k.stall_dur,
    k.stall_max,
    k.total,
    v.run IS NOT NULL OR w.run IS NOT NULL AS has_saving_record,
    k.steps < 2 OR (k.gaps > 0 AND v.run IS NULL AND w.run IS NULL) AS is_unknown,
    CAST(NULL AS bigint) AS object
  FROM ranked AS k
  LEFT JOIN saved AS v ON v.run = k.run
  LEFT JOIN watched AS w ON w.run = k.run
  WHERE k.place = 1
  UNION ALL
  SELECT
    run,
    'report' AS source,
    rank,
    batches AS steps,
    CAST(NULL AS bigint) AS gaps,
    CAST(NULL AS bigint) AS gap_dur,
    saves AS stalls,
    save AS stall_dur,
    CAST(NULL AS bigint) AS stall_max,
    greatest(loop, save) AS total,
    saves IS NOT NULL AS has_saving_record,
    saves IS NULL AS is_unknown,
    object
  FROM action_fit
),

chosen AS (
  SELECT *, CAST(stall_dur AS double) / nullif(total, 0) AS share
  FROM candidates
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY is_unknown, share DESC NULLS LAST, source DESC, rank, object) = 1
)

SELECT r.run, c.* EXCLUDE (run, is_unknown, object)
FROM run AS r
LEFT JOIN chosen AS c ON c.run = r.run
ORDER BY r.run
