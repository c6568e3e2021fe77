-- What share of the loop is evaluation?
--
-- The value is evaluation time divided by the sum of training and evaluation time (view `evidence_evaluation`). It includes the time between the
-- steps. The times come from steps with a recorded mode, or from the training epochs in a report of Lightning's SimpleProfiler. In such a report, the
-- sanity check counts as evaluation.
--
-- empty   there are no runs
--
-- param   notice  double in 0..1 = 0.2  share above which the finding is a notice
--
-- cause    evaluation takes a large share of the loop
-- remedy   evaluate less often or on a subset of the data; use larger batches without gradients; increase num_workers of the evaluation loader
-- limits   0.2 notice (our own, equal to XProf's high limit for data)
-- evidence job.phases, step.duration, action.tree
--
-- needs   evidence_evaluation

SELECT
  run,
  share AS value,
  $notice AS threshold,
  CASE WHEN share > $notice THEN 'notice' END AS severity,
  train_steps + eval_steps AS steps,
  TRY_CAST((share - $notice) * (train + eval) AS bigint) AS potential_saving,
  train + eval AS saving_base,
  false AS gpu_busy,
  'evaluation takes ' || round(100 * share, 1) || ' % of loop time' || coalesce(' on rank ' || rank, '')
  || ' (limit: ' || round(100 * $notice, 1) || ' %): ' || format_amount(eval, 'ns') || ' for ' || eval_steps
  || ' steps, compared with ' || format_amount(train, 'ns') || ' of training' AS found,
  CASE
    WHEN eval_steps = 0 THEN 'none of the ' || coalesce(train_steps || ' ', '') || 'steps is an evaluation step'
    ELSE 'evaluation takes ' || round(100 * share, 1) || ' % of loop time'
  END AS passed,
  CASE
    WHEN share IS NULL
      THEN
        'needs steps marked as training or evaluation; record them with `tracelake.record.Recorder` (`step(mode="eval")`), Lightning''s SimpleProfiler'
        || ' or SageMaker''s hook'
    WHEN train = 0 THEN 'needs training steps, but there are only evaluation steps; record training too'
  END AS missing
FROM evidence_evaluation
