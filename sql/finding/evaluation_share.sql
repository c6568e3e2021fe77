-- What share of the loop is evaluation?
--
-- The value is evaluation time over the sum of training and evaluation time (view `evidence_evaluation`). It includes the time between the steps. The
-- times come from the phases of steps, or from the training epochs in a report of Lightning's SimpleProfiler. In such a report the sanity check counts
-- as evaluation.
--
-- empty   there are no runs
--
-- param   high  double = 0.2  share above which the finding is a notice
--
-- cause    evaluation takes a large share of the loop
-- remedy   evaluate less often or on a subset of the data; use larger batches without gradients; increase num_workers of the evaluation loader
-- limits   0.2 our own, equal to XProf's high limit for data
-- evidence job.phases, step.duration, action.tree
--
-- needs   evidence_evaluation

SELECT
  run,
  share AS value,
  $high AS threshold,
  CASE WHEN share > $high THEN 'notice' END AS severity,
  train_steps + eval_steps AS steps,
  TRY_CAST((share - $high) * (train + eval) AS bigint) AS potential_saving,
  false AS gpu_busy,
  'evaluation takes ' || round(100 * share, 1) || ' % of loop time' || coalesce(' on rank ' || rank, '')
  || ' (limit: ' || round(100 * $high, 1) || ' %): ' || round(eval / 1e9, 3) || ' s for ' || eval_steps
  || ' steps, compared with ' || round(train / 1e9, 3) || ' s of training' AS found,
  CASE
    WHEN eval_steps = 0 THEN 'none of the ' || coalesce(train_steps || ' ', '') || 'steps is an evaluation step'
    ELSE 'evaluation takes ' || round(100 * share, 1) || ' % of loop time'
  END AS passed,
  CASE
    WHEN share IS NULL
      THEN
        'needs steps marked as training or evaluation; record them with SageMaker''s hook, `tracelake record` or Lightning''s SimpleProfiler'
    WHEN train = 0 THEN 'needs training steps, but there are only evaluation steps; record training too'
  END AS missing
FROM evidence_evaluation
