-- Did it take long until the first step?
--
-- smdebug's rule MaxInitializationTime, over the whole run. One row per run. The run is a violation, and triggers the rule, when more than
-- `threshold` minutes pass between the first recorded time and the first step of any mode.
--
-- `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's package), docs (AWS's
-- guide of 2023) or reported (the run's own report, or history where it has no limit).
--
-- smdebug counts from its first window, and one violation for every minute without a step. Here, a run without steps has null, because the
-- start of its training is not known. smdebug treats such a run as one in which training never began.
--
-- empty   there are no runs (ingest a profile first), or `defaults` is not history, rulesconfig, docs or reported
--
-- param   defaults   text in history|rulesconfig|docs|reported = 'history'  source of the default limits (see above)
-- param   threshold  double = null                                          minutes until the first step above which the rule is triggered; null for the published limit
--
-- column  run         text     id     name of the run
-- column  triggered   boolean  flag   whether the rule is triggered; null without steps
-- column  violations  bigint   count  1 where the first step came late, else 0; null without steps
-- column  datapoints  bigint   count  steps, each once over all ranks
-- column  started     bigint   time   earliest time in its profile
-- column  first_ts    bigint   time   start of the first step
-- column  last_ts     bigint   time   start of the last step
-- column  ended       bigint   time   last time in its profile
-- column  dur         bigint   ns     from the first recorded time to the first step
-- column  parameters  text     json   limits that were used
--
-- needs   rule_limit, run, step_span
-- order   run

WITH limits AS (
  SELECT run, coalesce($threshold, threshold, 20.0) AS threshold
  FROM rule_limit('MaxInitializationTime', $defaults)
),

stepped AS (
  SELECT run, count(*) AS steps, min(ts) AS first_ts, max(ts) AS last_ts
  FROM step_span
  GROUP BY run
)

SELECT
  r.run,
  s.first_ts - r.first_ts > l.threshold * 60000000000 AS triggered,
  CAST(s.first_ts - r.first_ts > l.threshold * 60000000000 AS bigint) AS violations,
  coalesce(s.steps, 0) AS datapoints,
  r.started,
  s.first_ts,
  s.last_ts,
  r.ended,
  s.first_ts - r.first_ts AS dur,
  '{"threshold":' || l.threshold || '}' AS parameters
FROM run AS r
JOIN limits AS l ON l.run = r.run
-- Steps without an epoch cannot be compared with times of day.
LEFT JOIN stepped AS s ON s.run = r.run AND s.first_ts >= r.first_ts
ORDER BY run
