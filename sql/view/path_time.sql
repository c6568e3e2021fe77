-- How much time did each path of calls take, on the host and on the device?
--
-- One row per file and path of calls (table `call_path`). `host_total` is the time in the calls with this path. `host_self` excludes the
-- calls directly inside: of operators, annotations, collectives and calls of a data loader these are such calls and launches, of Python
-- functions and modules other Python functions and modules. `device_self` is the device work that launches directly inside launched.
-- `device_total` also has that of all longer paths. Both add up durations, so parallel device work counts more than once.
--
-- Excluded: see `call_time`.
--
-- column  run           text     id     name of the run
-- column  node          text     id     machine
-- column  rank          bigint   id     global rank of the process; null when unknown
-- column  span          bigint   id     recording of the process within the run, from 0
-- column  parent_row    bigint   id     row of the path without its last call; null for the outermost
-- column  depth         bigint   count  rows that enclose it
-- column  category      text     name   category of the last call: operator, annotation, communication, loader, python or module
-- column  name          text     name   name of the call
-- column  outermost     boolean  flag   false when a call of the same name encloses it
-- column  operator      text     name   name of the operator; the innermost operator or collective of the path
-- column  module        text     name   innermost module of the path; null when there is none
-- column  n             bigint   count  calls
-- column  host_total    bigint   ns     time in its calls, thread by thread
-- column  host_self     bigint   ns     time in it and in nothing inside
-- column  device_total  bigint   ns     device work launched in it and everything inside
-- column  device_self   bigint   ns     device work that it launched itself, not in rows inside
-- column  paths_inside  bigint   count  longer paths that begin with this one
-- column  object        bigint   id     file of the row, see table object
-- column  row           bigint   id     ordinal of the row in its file
--
-- cache   large
--
-- needs   call_path, call_time
-- order   run, object, row
-- source  kineto, nsys

WITH shares AS (
  SELECT run, object, call_path AS row, span, n, dur_sum, 0 AS inside, 0 AS work
  FROM call_time
  WHERE category NOT IN ('runtime', 'driver')
  UNION ALL
  -- What calls take from the call around them.
  SELECT t.run, t.object, p.parent_row AS row, t.span, 0 AS n, 0 AS dur_sum, t.covered_sum AS inside, 0 AS work
  FROM call_time AS t
  JOIN call_path AS p ON p.run = t.run AND p.object = t.object AND p.row = t.call_path
  WHERE t.category NOT IN ('runtime', 'driver') AND p.parent_row IS NOT NULL
  UNION ALL
  SELECT run, object, call_path AS row, span, 0 AS n, 0 AS dur_sum, covered_sum AS inside, work
  FROM call_time
  WHERE category IN ('runtime', 'driver') AND call_path IS NOT NULL
  UNION ALL
  SELECT run, object, python_path AS row, span, 0 AS n, 0 AS dur_sum, 0 AS inside, work
  FROM call_time
  WHERE category IN ('runtime', 'driver') AND python_path IS NOT NULL
),

summed AS (
  SELECT run, object, row, min(span) AS span, sum(n) AS n, sum(dur_sum) AS host_total, sum(inside) AS inside, sum(work) AS work
  FROM shares
  GROUP BY run, object, row
),

-- Rows count depth first, so all paths inside a path follow it.
counted AS (
  SELECT
    p.*,
    s.span,
    coalesce(s.n, 0) AS n,
    coalesce(s.host_total, 0) AS host_total,
    coalesce(s.inside, 0) AS inside,
    coalesce(s.work, 0) AS device_self,
    CAST(sum(coalesce(s.work, 0)) OVER (PARTITION BY p.run, p.object ORDER BY p.row) AS bigint) AS work_until
  FROM call_path AS p
  LEFT JOIN summed AS s ON s.run = p.run AND s.object = p.object AND s.row = p.row
)

SELECT
  c.* EXCLUDE (inside, work_until),
  c.host_total - c.inside AS host_self,
  l.work_until - c.work_until + c.device_self AS device_total
FROM counted AS c
JOIN counted AS l ON l.run = c.run AND l.object = c.object AND l.row = c.row + c.paths_inside
ORDER BY c.run, c.object, c.row
