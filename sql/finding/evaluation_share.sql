-- How much of the loop is evaluation?
--
-- The time of evaluation over that of training and evaluation (view `evidence_evaluation`), with whatever happens between their steps: of phases of steps,
-- or of the training epochs in a report of Lightning's SimpleProfiler, whose sanity check counts as evaluation.
--
-- empty   there are no runs
--
-- param   high  double = 0.2  share above which it is high
--
-- cause    evaluation takes a large part of the loop
-- remedy   evaluate less often or on a part of the data; larger batches without gradients; more workers of its loader
-- limits   0.2 our own: what XProf calls high for data
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
  'evaluation takes ' || round(100 * share, 1) || ' % of the loop: ' || round(eval / 1e9, 3) || ' s for ' || eval_steps
  || ' steps, beside ' || round(train / 1e9, 3) || ' s of training' || coalesce(' (rank ' || rank || ')', '') AS found,
  CASE
    WHEN eval_steps = 0 THEN 'fine: none of the ' || coalesce(train_steps || ' ', '') || 'steps is one of evaluation'
    ELSE 'fine: evaluation takes ' || round(100 * share, 1) || ' % of the loop'
  END AS passed,
  CASE
    WHEN share IS NULL
      THEN
        'needs steps that say whether they train or evaluate; SageMaker''s hook, `tracelake record` and Lightning''s SimpleProfiler do'
    WHEN train = 0 THEN 'needs the steps of training, there are those of evaluation only; record the training too'
  END AS missing
FROM evidence_evaluation
