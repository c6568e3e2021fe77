-- What of each run's files could not be read as it was meant?
--
-- One row per run. Damage is what stands in table `problem` as a warning: entries that were left out, or repaired. So are notices that something is
-- missing: a file, a report or a log that is empty, a pass without a batch, a count that does not agree, a recording without an end. Files
-- that were recognized and could not be read are damage, too; files that are no profile are not. Neither are reports that were appended
-- or repeated, and rows of a sanity check.
--
-- column  run      text    id     run
-- column  objects  bigint  count  files that were recognized
-- column  damaged  bigint  count  those of them that have damage
-- column  entries  bigint  count  damaged entries
-- column  unread   bigint  count  recognized files that could not be read
-- column  kind     text    name   most frequent kind of damage; null without any
-- column  file     text    name   first file that has it
-- column  message  text    text   what was said of it
--
-- cache   large
-- needs   run, object, problem
-- order   run

WITH harmed AS (
  SELECT run, object, kind, message, count
  FROM problem
  WHERE
    severity = 'warning' OR kind IN ('empty_file', 'empty_report', 'no_batch', 'no_end', 'total_batches')
),

counted AS (
  SELECT run, kind, sum(count) AS entries, min(object) AS object, first_value(message ORDER BY object) AS message
  FROM harmed
  GROUP BY run, kind
),

ranked AS (
  SELECT *, row_number() OVER (PARTITION BY run ORDER BY entries DESC, object, kind) AS place
  FROM counted
),

totals AS (
  SELECT run, count(DISTINCT object) AS damaged, sum(count) AS entries
  FROM harmed
  GROUP BY run
),

files AS (
  SELECT run, count(*) AS objects, count(error) AS unread, min(CASE WHEN error IS NOT NULL THEN url END) AS url, min(error) AS error
  FROM object
  WHERE format IS NOT NULL
  GROUP BY run
)

SELECT
  r.run,
  coalesce(f.objects, 0) AS objects,
  coalesce(t.damaged, 0) + coalesce(f.unread, 0) AS damaged,
  coalesce(t.entries, 0) AS entries,
  coalesce(f.unread, 0) AS unread,
  k.kind,
  regexp_replace(coalesce(o.url, f.url), '^.*/', '') AS file,
  coalesce(k.message, f.error) AS message
FROM run AS r
LEFT JOIN files AS f ON f.run = r.run
LEFT JOIN totals AS t ON t.run = r.run
LEFT JOIN ranked AS k ON k.run = r.run AND k.place = 1
LEFT JOIN object AS o ON o.run = r.run AND o.object = k.object
ORDER BY r.run
