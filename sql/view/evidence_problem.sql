-- Which parts of each run's files are corrupt, missing or unreadable?
--
-- One row per run. Each warning in table `problem` counts: an entry that was skipped or repaired. Notices that something is missing also
-- count: a file, a report or a log that is empty, a pass without a batch, a count that does not match, a recording without an end. Files
-- that were recognized but could not be read count too.
--
-- Not counted: files that are not profiles, reports that were appended or repeated, and rows of a sanity check.
--
-- column  run      text    id     name of the run
-- column  objects  bigint  count  files that were recognized
-- column  corrupt  bigint  count  those of them with corrupt entries
-- column  entries  bigint  count  corrupt entries
-- column  unread   bigint  count  recognized files that could not be read
-- column  kind     text    name   most frequent kind of problem; null without any
-- column  file     text    name   first file that has it
-- column  message  text    text   the message of it
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

main AS (
  SELECT run, kind, sum(count) AS entries, min(object) AS first_object, first_value(message ORDER BY object) AS message
  FROM harmed
  GROUP BY run, kind
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY entries DESC, first_object, kind) = 1
),

totals AS (
  SELECT run, count(DISTINCT object) AS corrupt, sum(count) AS entries
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
  coalesce(t.corrupt, 0) + coalesce(f.unread, 0) AS corrupt,
  coalesce(t.entries, 0) AS entries,
  coalesce(f.unread, 0) AS unread,
  k.kind,
  regexp_replace(coalesce(o.url, f.url), '^.*/', '') AS file,
  coalesce(k.message, f.error) AS message
FROM run AS r
LEFT JOIN files AS f ON f.run = r.run
LEFT JOIN totals AS t ON t.run = r.run
LEFT JOIN main AS k ON k.run = r.run
LEFT JOIN object AS o ON o.run = r.run AND o.object = k.first_object
ORDER BY r.run
