-- How long did each fit of PyTorch Lightning train, evaluate and save checkpoints?
--
-- One row per file of SimpleProfiler's reports: the last report of a fit, which includes the time of earlier fits of the same Trainer. One row
-- per report of AdvancedProfiler, which starts again with each fit.
--
-- Evaluation is fetching and running validation batches, and the hooks `on_validation_*` except `on_validation_end`, in which callbacks
-- save checkpoints. The sanity check before the training is in the same rows. The loop consists of the training epochs and the hooks at
-- their start and end. Checkpoints are also saved in these hooks.
--
-- Lightning reports the time of saving from version 2.5 on, and the hooks for saving from version 1.6 on. Action names with brackets show
-- that a report is from version 1.6 or later. If a report has the hooks but not the time, or is older than 1.6, the view does not know
-- whether checkpoints were saved.
--
-- A report of AdvancedProfiler has no time of the epochs. There it is the sum of their actions (view `action_advanced`).
--
-- Excluded: reports of other stages, which repeat the fit and add their own time to the same actions.
--
-- column  run           text    id     name of the run
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  object        bigint  id     file of the row, see table object
-- column  report        bigint  id     report within the file, from 0
-- column  batches       bigint  count  batches of training; null when unknown
-- column  eval_batches  bigint  count  batches of evaluation
-- column  saves         bigint  count  checkpoints; null when unknown
-- column  epochs        bigint  ns     time of the training epochs, evaluation in them included
-- column  loop          bigint  ns     that, and the time of the hooks around them
-- column  eval          bigint  ns     time of evaluation
-- column  save          bigint  ns     time of saving checkpoints; null when unknown
--
-- needs   action, action_advanced
-- order   run, object
-- source  lightning_simple, lightning_advanced

WITH reported AS (
  SELECT run, node, rank, object, report, action, regexp_replace(action, '^.*\.', '') AS hook, calls, total_s, CAST(NULL AS boolean) AS in_loop
  FROM action
  WHERE profiler = 'simple' AND coalesce(stage, 'fit') = 'fit'
  UNION ALL
  SELECT run, node, rank, object, report, action, hook, calls, total_s, in_loop
  FROM action_advanced
),

latest AS (
  SELECT *, max(report) OVER (PARTITION BY run, object) AS last
  FROM reported
),

summed AS (
  SELECT
    run,
    node,
    rank,
    object,
    report,
    coalesce(
      max(CASE WHEN hook = 'run_training_batch' THEN calls END),
      max(CASE WHEN hook IN ('train_dataloader_next', 'get_train_batch') THEN calls END)
    ) AS batches,
    coalesce(max(CASE WHEN hook IN ('val_next', 'validation_step') THEN calls END), 0) AS eval_batches,
    sum(total_s) FILTER (WHERE coalesce(in_loop, hook = 'run_training_epoch')) AS epochs_s,
    coalesce(
      sum(total_s) FILTER (
        WHERE in_loop IS NOT TRUE AND hook IN ('on_train_start', 'on_train_epoch_start', 'on_train_epoch_end', 'on_train_end')
      ),
      0
    ) AS around_s,
    coalesce(
      sum(total_s) FILTER (
        WHERE hook IN ('val_next', 'validation_step') OR (starts_with(hook, 'on_validation_') AND hook <> 'on_validation_end')
      ),
      0
    ) AS eval_s,
    max(CASE WHEN action = 'save_checkpoint' THEN calls END) AS saves,
    max(CASE WHEN action = 'save_checkpoint' THEN total_s END) AS save_s,
    bool_or(starts_with(action, '[')) AND NOT bool_or(hook = 'on_save_checkpoint') AS is_unsaved
  FROM latest
  WHERE report = last OR in_loop IS NOT NULL
  GROUP BY run, node, rank, object, report
)

SELECT
  run,
  node,
  rank,
  object,
  report,
  batches,
  eval_batches,
  coalesce(saves, CASE WHEN is_unsaved THEN 0 END) AS saves,
  TRY_CAST(round(1e9 * epochs_s) AS bigint) AS epochs,
  TRY_CAST(round(1e9 * (epochs_s + around_s)) AS bigint) AS loop,
  TRY_CAST(round(1e9 * eval_s) AS bigint) AS eval,
  TRY_CAST(round(1e9 * coalesce(save_s, CASE WHEN is_unsaved THEN 0 END)) AS bigint) AS save
FROM summed
WHERE epochs_s IS NOT NULL
ORDER BY run, object
