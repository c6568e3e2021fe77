-- Were the first steps much longer than the others?
--
-- The first step of a process against the median of its steps (view `evidence_step`): compilation, allocation and caches come with it, and a benchmark
-- that counts it measures them. Steps that get long again later are `step_outliers`: a graph that is compiled anew.
--
-- empty   there are no runs
--
-- param   factor  double = 2.0   times the median from which a first step is long
-- param   least   bigint = 5     steps that a median needs
--
-- cause    warm-up: compilation, autotuning, allocation, cold caches
-- remedy   leave the first steps out of what is measured; keep compiled graphs and shapes the same over runs
-- limits   2 smdebug's outliers, of which the first step is one; 5 our own
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
  false AS gpu_busy,
  'the first ' || CASE WHEN warm > 1 THEN warm || ' ' || what || CASE what WHEN 'batch' THEN 'es' ELSE 's' END || ' took' ELSE what || ' took' END || ' '
  || round(warm_extra / 1e9, 3) || ' s more than usual: ' || CASE WHEN warm > 1 THEN 'the very first ' ELSE '' END
  || round(first_dur / 1e6, 1) || ' ms, the median ' || round(first_p50 / 1e6, 1) || ' ms' || whose AS found,
  'fine: the first ' || what || ' took ' || round(first_relative, 2) || ' times the median' AS passed,
  CASE
    WHEN first_relative IS NULL
      THEN 'needs the durations of steps; mark them with `prof.step()`, or record them with `tracelake record`'
    WHEN first_steps < $least
      THEN 'needs at least ' || $least || ' ' || what || CASE what WHEN 'batch' THEN 'es' ELSE 's' END || ', there are ' || first_steps || '; record more of them'
    WHEN first_number > 1
      THEN 'needs the first steps, the recording begins with number ' || first_number || '; record from the start of the job'
  END AS missing
FROM (
  SELECT
    *,
    CASE kind WHEN 'batch' THEN 'batch' ELSE 'step' END AS what,
    CASE WHEN first_rank IS NOT NULL AND steps > first_steps THEN ' (rank ' || first_rank || ')' ELSE '' END AS whose
  FROM evidence_step
) AS s
