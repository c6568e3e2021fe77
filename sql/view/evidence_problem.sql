-- Which of each run's files are corrupt, incomplete or unreadable?
--
-- One row per run. Problems of the classes `corrupt` and `incomplete` in table `problem` count, and files that were recognized but could not
-- be read.
--
-- Not counted: problems of the classes `not_read` and `note`, and files that are not profiles.
--
-- column  run         text    id     name of the run
-- column  objects     bigint  count  files that were recognized
-- column  corrupt     bigint  count  those of them that are corrupt or could not be read
-- column  incomplete  bigint  count  those of them that are incomplete, but not corrupt
-- column  entries     bigint  count  corrupt or missing entries
-- column  unread      bigint  count  recognized files that could not be read
-- column  kind        text    name   most frequent kind of problem, of corruption if there is any; null without any
-- column  file        text    name   first file that has it
-- column  message     text    text   the message of it
--
-- cache   large
-- needs   run, object, problem
-- order   run

-- Data files of earlier versions have no class; `no_offset` was a missing epoch.
WITH classified AS (
  SELECT
    run,
    object,
    kind,
    message,
    count,
    coalesce(class, CASE WHEN severity = 'warning' AND kind <> 'no_offset' THEN 'corrupt' END) AS class
  FROM problem
),

harmed AS (
  SELECT *
  FROM classified
  WHERE class IN ('corrupt', 'incomplete')
),

main AS (
  SELECT
    run,
    kind,
    sum(count) AS entries,
    min(object) AS first_object,
    first_value(message ORDER BY object) AS message,
    bool_or(class = 'corrupt') AS is_corrupt
  FROM harmed
  GROUP BY run, kind
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY is_corrupt DESC, entries DESC, first_object, kind) = 1
),

harmed_file AS (
  SELECT run, object, bool_or(class = 'corrupt') AS is_corrupt, sum(count) AS entries
  FROM harmed
  GROUP BY run, object
),

totals AS (
  SELECT
    h.run,
    count(*) FILTER (WHERE h.is_corrupt OR o.error IS NOT NULL) AS corrupt,
    count(*) FILTER (WHERE NOT h.is_corrupt AND o.error IS NULL) AS incomplete,
    sum(h.entries) FILTER (WHERE o.error IS NULL) AS entries
  FROM harmed_file AS h
  LEFT JOIN object AS o ON o.run = h.run AND o.object = h.object
  GROUP BY h.run
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
  coalesce(t.corrupt, 0) AS corrupt,
  coalesce(t.incomplete, 0) AS incomplete,
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
