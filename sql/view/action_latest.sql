-- Which actions did Lightning's reports time, without repetitions in later reports?
--
-- SimpleProfiler does not reset between stages: the report of a test repeats the rows of the fit before it. The view compares each report
-- of a rank with the other reports of that rank. It skips a report if another one continues it: each action of the report is in the other
-- one, either with the same calls and time, or with more calls and at least the same time. A report that another job appended is not a
-- continuation, because it has other times for the same calls. The view includes all reports of AdvancedProfiler.
--
-- column  run             text    id       name of the run
-- column  node            text    id       machine
-- column  rank            bigint  id       global rank of the process; null when unknown
-- column  profiler        text    name     profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
-- column  object          bigint  id       file of the row, see table object
-- column  report          bigint  id       report within the file, from 0
-- column  stage           text    name     stage of Lightning: fit, validate, test or predict; null when unknown
-- column  action          text    name     name of the action of Lightning
-- column  hook            text    name     last part of the name, behind the class it belongs to
-- column  calls           bigint  count    calls; null from AdvancedProfiler
-- column  mean_s          double  s        mean duration; null from AdvancedProfiler
-- column  total_s         double  s        total duration
-- column  percent         double  percent  share of `report_s`, as reported
-- column  report_s        double  s        time since the profiler was made; null when unknown
-- column  function_calls  bigint  count    calls of functions in it; null from SimpleProfiler
-- column  row             bigint  id       ordinal of the row in its file
--
-- needs   action
-- order   run, node, rank, profiler, object, report, row
-- source  lightning_simple, lightning_advanced

WITH report AS (
  SELECT run, node, rank, object, report, count(*) AS actions, sum(calls) AS calls
  FROM action
  WHERE profiler = 'simple'
  GROUP BY run, node, rank, object, report
),

repeated AS (
  SELECT a.run, a.object, a.report, b.object AS later_object, b.report AS later_report, count(*) AS actions
  FROM action AS a
  JOIN action AS b
    ON b.run = a.run
    AND b.action = a.action
    AND (b.node IS NOT DISTINCT FROM a.node)
    AND (b.rank IS NOT DISTINCT FROM a.rank)
  WHERE a.profiler = 'simple'
    AND b.profiler = 'simple'
    AND (a.object <> b.object OR a.report <> b.report)
    AND ((b.calls = a.calls AND b.total_s = a.total_s) OR (b.calls > a.calls AND b.total_s >= a.total_s))
  GROUP BY a.run, a.object, a.report, b.object, b.report
),

-- If two reports are equal, the earlier one is skipped.
continued AS (
  SELECT DISTINCT r.run, r.object, r.report
  FROM repeated AS r
  JOIN report AS a ON a.run = r.run AND a.object = r.object AND a.report = r.report AND a.actions = r.actions
  JOIN report AS b ON b.run = r.run AND b.object = r.later_object AND b.report = r.later_report
  WHERE b.actions > a.actions
    OR b.calls > a.calls
    OR b.object > a.object
    OR (b.object = a.object AND b.report > a.report)
)

SELECT
  a.run,
  a.node,
  a.rank,
  a.profiler,
  a.object,
  a.report,
  a.stage,
  a.action,
  regexp_replace(a.action, '^.*\.', '') AS hook,
  a.calls,
  a.mean_s,
  a.total_s,
  a.percent,
  a.report_s,
  a.function_calls,
  a.row
FROM action AS a
LEFT JOIN continued AS c ON c.run = a.run AND c.object = a.object AND c.report = a.report
WHERE c.run IS NULL
ORDER BY run, node, rank, profiler, object, report, row
