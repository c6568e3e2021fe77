-- Did some steps last much longer than the others, and what were they busy with?
--
-- smdebug's rule StepOutlier: more than `n_outliers` steps of a process that last more than 3 standard deviations above their mean, of more than
-- `patience` steps. The sentence says what they had more of than the others, where a trace tells, and whether they come at equal distances.
--
-- empty   there are no runs
--
-- param   n_outliers  bigint = 10   outliers that there must be more than
-- param   patience    bigint = 100  steps that there must be more than
--
-- cause    pauses: checkpoints, logging, garbage collection, graphs compiled anew, or data that came late
-- remedy   look at these windows; make periodic work rarer or asynchronous; keep shapes the same
-- limits   3 standard deviations, 10 outliers and 100 steps smdebug's StepOutlier
-- evidence rules.step_outlier, step.outliers, loader.during_outliers
--
-- needs   evidence_step

SELECT
  run,
  outliers AS value,
  $n_outliers AS threshold,
  CASE WHEN outliers > $n_outliers THEN 'warning' END AS severity,
  outlier_steps AS steps,
  outlier_extra AS potential_saving,
  false AS gpu_busy,
  outliers || ' of ' || outlier_steps || ' steps took more than ' || round(outlier_limit / 1e6, 1) || ' ms'
  || coalesce(' on rank ' || outlier_rank, '') || ', the longest ' || round(outlier_max / 1e6, 1) || ' ms'
  || coalesce(', one every ' || outlier_period || ' steps', '')
  || CASE WHEN outlier_start > 0 THEN ', ' || outlier_start || ' of them at the start' ELSE '' END
  || coalesce('; ' || round(100 * least(outlier_share, 1), 1) || ' % of what they took more is ' || outlier_role, '') AS found,
  'fine: ' || outliers || ' of ' || outlier_steps || ' steps took more than ' || round(outlier_limit / 1e6, 1) || ' ms' AS passed,
  CASE
    WHEN outliers IS NULL OR kind <> 'step'
      THEN 'needs the durations of steps; mark them with `prof.step()`, or record them with `tracelake record`'
    WHEN outlier_steps <= $patience
      THEN 'needs more than ' || $patience || ' steps of a process, there are ' || outlier_steps || '; record more of them'
  END AS missing
FROM evidence_step
