-- In which other action did each action of a Lightning report run, and how long did it run by itself?
--
-- Reports contain only durations. Lightning's loops define which action encloses which, and the last part of the name identifies the
-- action. `run_training_epoch` encloses fetching, moving and running training batches, and the validation between them.
-- `run_training_batch` encloses the optimizer's step. The optimizer's step encloses the training step, the backward pass and the handling
-- of gradients. If the enclosing action is not in the report, the view uses the next one outside it. An action without a known enclosing
-- action is at the top level.
--
-- `own_s` is the duration without the actions directly inside. It is null if these took longer than the action: calls in the sanity check
-- and in other stages are in the same rows and ran outside. AdvancedProfiler stops an action when another action begins inside it, and
-- never resumes it. Such an action is `truncated`: its true duration and its own time are unknown. For its other actions, the duration and
-- the own time are equal.
--
-- column  run            text     id       name of the run
-- column  node           text     id       machine
-- column  rank           bigint   id       global rank of the process; null when unknown
-- column  profiler       text     name     profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
-- column  object         bigint   id       file of the row, see table object
-- column  report         bigint   id       report within the file, from 0
-- column  stage          text     name     stage of Lightning: fit, validate, test or predict; null when unknown
-- column  action         text     name     name of the action of Lightning
-- column  parent_action  text     name     action around it; null for one that stands by itself
-- column  depth          bigint   count    rows that enclose it
-- column  sort_path      text     id       sorts the actions of a report depth first
-- column  calls          bigint   count    calls; null from AdvancedProfiler
-- column  mean_s         double   s        mean duration; null from AdvancedProfiler
-- column  total_s        double   s        total duration
-- column  percent        double   percent  share of the time since the profiler was made, as reported
-- column  own_s          double   s        time in it alone; null when unknown
-- column  truncated      boolean  flag     whether actions within cut it short, so that `total_s` is too small
-- column  row            bigint   id       ordinal of the row in its file
--
-- needs   action_latest
-- order   run, node, rank, profiler, object, report, sort_path
-- source  lightning_simple, lightning_advanced

WITH placed AS (
  SELECT
    a.*,
    lpad(CAST(row_number() OVER (
      PARTITION BY a.run, a.object, a.report ORDER BY a.total_s DESC, a.row
    ) AS text), 8, '0') AS place,
    CASE
      WHEN a.hook IN (
        'train_dataloader_next', 'get_train_batch', 'run_training_batch', 'batch_to_device', 'on_train_batch_start',
        'on_train_batch_end', 'lr_scheduler_step', 'val_next', 'validation_step'
      ) OR starts_with(a.hook, 'on_validation_') THEN 'e'
      WHEN a.hook IN ('on_before_batch_transfer', 'transfer_batch_to_device', 'on_after_batch_transfer') THEN 'et'
      WHEN a.hook = 'optimizer_step' THEN 'eb'
      WHEN a.hook IN (
        'training_step', 'optimizer_zero_grad', 'on_before_zero_grad', 'backward', 'on_before_optimizer_step',
        'configure_gradient_clipping', 'training_step_and_backward'
      ) THEN 'ebo'
      WHEN a.hook IN ('on_before_backward', 'on_after_backward') THEN 'ebok'
      ELSE ''
    END AS within,
    CASE a.hook
      WHEN 'run_training_epoch' THEN 'e'
      WHEN 'run_training_batch' THEN 'b'
      WHEN 'optimizer_step' THEN 'o'
      WHEN 'backward' THEN 'k'
      WHEN 'batch_to_device' THEN 't'
    END AS letter
  FROM action_latest AS a
),

enclosing AS (
  SELECT run, object, report, letter, min(place) AS place
  FROM placed
  WHERE letter IS NOT NULL
  GROUP BY run, object, report, letter
),

chained AS (
  SELECT
    p.run,
    p.object,
    p.report,
    p.row,
    count(e.letter) AS depth,
    max(CASE WHEN e.letter = 'e' THEN e.place || '/' END) AS epoch,
    max(CASE WHEN e.letter = 't' THEN e.place || '/' END) AS transfer,
    max(CASE WHEN e.letter = 'b' THEN e.place || '/' END) AS batch,
    max(CASE WHEN e.letter = 'o' THEN e.place || '/' END) AS optimizer,
    max(CASE WHEN e.letter = 'k' THEN e.place || '/' END) AS backward
  FROM placed AS p
  LEFT JOIN enclosing AS e
    ON e.run = p.run AND e.object = p.object AND e.report = p.report AND strpos(p.within, e.letter) > 0
  GROUP BY p.run, p.object, p.report, p.row
),

nested AS (
  SELECT
    p.*,
    c.depth,
    concat(c.epoch, c.transfer, c.batch, c.optimizer, c.backward, p.place) AS sort_path,
    rtrim(coalesce(c.backward, c.optimizer, c.batch, c.transfer, c.epoch), '/') AS parent_place
  FROM placed AS p
  JOIN chained AS c ON c.run = p.run AND c.object = p.object AND c.report = p.report AND c.row = p.row
),

inner_time AS (
  SELECT run, object, report, parent_place, sum(total_s) AS inner_s
  FROM nested
  WHERE parent_place IS NOT NULL
  GROUP BY run, object, report, parent_place
)

SELECT
  n.* EXCLUDE (hook, report_s, function_calls, place, within, letter, parent_place),
  o.action AS parent_action,
  CASE
    WHEN i.inner_s IS NULL THEN n.total_s
    WHEN n.profiler = 'simple' AND i.inner_s <= n.total_s THEN n.total_s - i.inner_s
  END AS own_s,
  n.profiler = 'advanced' AND i.inner_s IS NOT NULL AS truncated
FROM nested AS n
LEFT JOIN nested AS o
  ON o.run = n.run AND o.object = n.object AND o.report = n.report AND o.place = n.parent_place
LEFT JOIN inner_time AS i
  ON i.run = n.run AND i.object = n.object AND i.report = n.report AND i.parent_place = n.place
ORDER BY run, node, rank, profiler, object, report, sort_path
