-- Did the first steps take much longer than the others?
--
-- Compares the first step of a process with the median of its steps (view `evidence_step`). The first step includes compilation, allocation and cold
-- caches. A benchmark that counts it measures these too. If steps become long again later, for example because a graph is recompiled, `step_outliers`
-- reports them.
--
-- empty   there are no runs
--
-- param   factor     double = 2.0  ratio of the first step to the median from which the finding is a notice
-- param   min_steps  bigint = 5    minimum number of steps for a median
--
-- cause    warm-up: compilation, autotuning, allocation, cold caches
-- remedy   exclude the first steps from measurements; cache compiled graphs and keep shapes the same between runs
-- limits   2 factor (smdebug's outliers, which include the first step); 5 min_steps (our own)
-- evidence step.over_time, step.outliers
--
-- needs   evidence_step

SELECT
  run,
  first_relative AS value,
  $factor AS threshold,
  CASE WHEN first_relative >= $factor THEN 'notice' END AS severity,
  first_steps AS steps,
  warm_extra AS potential_saving,
  CAST(total AS double) * first_steps / steps AS saving_base,
  false AS gpu_busy,
  'the first ' || CASE WHEN warm > 1 THEN warm || ' ' || what || CASE what WHEN 'batch' THEN 'es' ELSE 's' END || ' took' ELSE what || ' took' END || ' '
  || format_amount(warm_extra, 'ns') || ' more than usual: ' || CASE WHEN warm > 1 THEN 'the first one took ' ELSE '' END
  || format_amount(first_dur, 'ns') || ', the median is ' || format_amount(first_p50, 'ns') || whose
  || ' (limit: ' || round($factor, 1) || ' times the median)' AS found,
  'the first ' || what || ' took ' || round(first_relative, 2) || ' times the median' AS passed,
  CASE
    WHEN first_relative IS NULL
      THEN 'needs the durations of steps or batches; mark steps in a trace with `prof.step()`, or record batches with `tracelake record`'
    WHEN first_steps < $min_steps
      THEN
        'needs at least ' || $min_steps || ' ' || what || CASE what WHEN 'batch' THEN 'es' ELSE 's' END
        || ', and there are ' || first_steps || '; record more of them'
    WHEN first_number > 1
      THEN 'needs the first steps, but the recording begins with number ' || first_number || '; record from the start of the job'
  END AS missing
FROM (
  SELECT
    *,
    CASE kind WHEN 'batch' THEN 'batch' ELSE 'step' END AS what,
    CASE WHEN first_rank IS NOT NULL AND steps > first_steps THEN ' on rank ' || first_rank ELSE '' END AS whose
  FROM evidence_step
) AS s
