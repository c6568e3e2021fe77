-- What share of the loop of each run was evaluation?
--
-- One row per run. The share is the time of phases of mode eval (view `phase_span`), divided by the time of the phases of training and
-- evaluation, or the share in the training epochs that a report of a profiler of Lightning has (view `action_fit`). If a run has both,
-- or several reports, the view uses the maximum share. Columns are null if the run has neither.
--
-- column  run          text    id     name of the run
-- column  source       text    name   phases or report; null when nothing is known
-- column  rank         bigint  id     global rank of the process; null of phases, which are those of all ranks
-- column  train        bigint  ns     time of training
-- column  eval         bigint  ns     time of evaluation
-- column  train_steps  bigint  count  steps or batches of training; null when unknown
-- column  eval_steps   bigint  count  steps or batches of evaluation
-- column  share        double  ratio  `eval` over both together
--
-- cache   large
-- needs   run, phase_span, action_fit
-- order   run

WITH candidates AS (
  SELECT
    run,
    'phases' AS source,
    CAST(NULL AS bigint) AS rank,
    coalesce(sum(dur) FILTER (WHERE mode = 'train'), 0) AS train,
    coalesce(sum(dur) FILTER (WHERE mode = 'eval'), 0) AS eval,
    coalesce(sum(steps) FILTER (WHERE mode = 'train'), 0) AS train_steps,
    coalesce(sum(steps) FILTER (WHERE mode = 'eval'), 0) AS eval_steps,
    CAST(NULL AS bigint) AS object
  FROM phase_span
  WHERE mode IN ('train', 'eval')
  GROUP BY run
  UNION ALL
  SELECT
    run,
    'report' AS source,
    rank,
    greatest(epochs - eval, 0) AS train,
    eval,
    batches AS train_steps,
    eval_batches AS eval_steps,
    object
  FROM action_fit
),

chosen AS (
  SELECT *, CAST(eval AS double) / nullif(train + eval, 0) AS share
  FROM candidates
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY share DESC NULLS LAST, source, rank, object) = 1
)

SELECT r.run, k.source, k.rank, k.train, k.eval, k.train_steps, k.eval_steps, k.share
FROM run AS r
LEFT JOIN chosen AS k ON k.run = r.run
ORDER BY r.run
