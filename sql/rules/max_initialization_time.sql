-- Did it take long until the first step?
--
-- smdebug's rule MaxInitializationTime, over the whole run. One row per run: it is a violation, and triggers the rule, when more
-- than `threshold` minutes lie between the first recorded time and the first step of any mode.
--
-- smdebug counts from its first window, and once for every minute without a step. A run without steps is null here: nobody knows when
-- its training began; smdebug takes it for one that never began.
--
-- empty   there are no runs, or `defaults` is none of history, rulesconfig, docs and reported
--
-- param   defaults   text = 'history'  whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history)
-- param   threshold  double = null     minutes that the first step may take to come; null for the published one
--
-- column  run         text     id     run
-- column  triggered   boolean  flag   whether the rule is triggered; null without steps
-- column  violations  bigint   count  1 where the first step came late, else 0; null without steps
-- column  datapoints  bigint   count  steps, each once over all ranks
-- column  started     bigint   time   first recorded time
-- column  first_ts    bigint   time   start of the first step
-- column  last_ts     bigint   time   start of the last step
-- column  ended       bigint   time   last recorded time
-- column  dur         bigint   ns     from the first recorded time to the first step
-- column  parameters  text     json   limits that were used
--
-- needs   rule_limit, run, step_span
-- order   run
-- source  sagemaker_framework, sagemaker_system, kineto, nsys

WITH published AS (
  SELECT threshold
  FROM (
    VALUES
    ('history', 20.0),
    ('rulesconfig', 20.0),
    ('docs', 20.0)
  ) AS p (defaults, threshold)
  WHERE defaults = CASE $defaults WHEN 'reported' THEN 'history' ELSE $defaults END
),

limits AS (
  SELECT r.run, coalesce($threshold, r.threshold, p.threshold) AS threshold
  FROM published AS p
  CROSS JOIN rule_limit('MaxInitializationTime', $defaults) AS r
),

stepped AS (
  SELECT run, count(*) AS steps, min(ts) AS first_ts, max(ts) AS last_ts
  FROM step_span
  GROUP BY run
)

SELECT
  r.run,
  s.first_ts - r.started > l.threshold * 60000000000 AS triggered,
  CAST(s.first_ts - r.started > l.threshold * 60000000000 AS bigint) AS violations,
  coalesce(s.steps, 0) AS datapoints,
  r.started,
  s.first_ts,
  s.last_ts,
  r.ended,
  s.first_ts - r.started AS dur,
  '{"threshold":' || l.threshold || '}' AS parameters
FROM run AS r
JOIN limits AS l ON l.run = r.run
LEFT JOIN stepped AS s ON s.run = r.run
ORDER BY run
