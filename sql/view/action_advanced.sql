-- What did each fit take, by the reports of Lightning's AdvancedProfiler?
--
-- One row per action of a fit. AdvancedProfiler stops an action when another action begins inside it, and does not continue it. So the times
-- of the actions do not overlap. The sum of the actions of the loop is less than the time of the training epochs, because what follows an inner
-- action is missing, and a share of this sum is an upper bound. `in_loop` is false for actions before and after the loop; a sanity check of the
-- validation counts as part of it.
--
-- The report has no number of calls. It is that of the profiler's `stop`, which is part of each action, else that of the iterator of a data
-- loader. Reports list only the first functions of an action, so both can be missing.
--
-- Excluded: runs that also have a report of SimpleProfiler, which has the time of the epochs.
--
-- column  run      text     id     name of the run
-- column  node     text     id     machine
-- column  rank     bigint   id     global rank of the process; null when unknown
-- column  object   bigint   id     file of the row, see table object
-- column  report   bigint   id     report within the file, from 0
-- column  action   text     name   name of the action of Lightning
-- column  hook     text     name   last part of the name, behind the class it belongs to
-- column  calls    bigint   count  calls; null when unknown
-- column  total_s  double   s      total duration
-- column  in_loop  boolean  flag   whether it is part of the training epochs
--
-- needs   action, function
-- order   run, object, report, action
-- source  lightning_advanced

WITH listed AS (
  SELECT
    run,
    object,
    report,
    extract_arg(scope, 'action') AS action,
    coalesce(
      max(CASE WHEN function = 'stop' OR function LIKE '%disable%_lsprof%' THEN calls END),
      max(CASE WHEN function = '__next__' THEN calls END)
    ) AS calls
  FROM function
  WHERE profiler = 'lightning_advanced'
  GROUP BY run, object, report, extract_arg(scope, 'action')
),

named AS (
  SELECT *, regexp_replace(action, '^.*\.', '') AS hook
  FROM action
  LEFT ANTI JOIN (SELECT DISTINCT run AS simple_run FROM action WHERE profiler = 'simple') AS s ON simple_run = run
  WHERE profiler = 'advanced' AND coalesce(stage, 'fit') = 'fit'
)

SELECT
  a.run,
  a.node,
  a.rank,
  a.object,
  a.report,
  a.action,
  a.hook,
  l.calls,
  a.total_s,
  NOT regexp_like(
    a.hook, '^(setup|teardown|prepare_data|configure_(callbacks|optimizers|model|sharded_model)|on_(fit|train|sanity_check)_(start|end)|train_dataloader|val_dataloader)'
  ) OR a.hook = 'train_dataloader_next' AS in_loop
FROM named AS a
LEFT JOIN listed AS l ON l.run = a.run AND l.object = a.object AND l.report = a.report AND l.action = a.action
ORDER BY run, object, report, action
