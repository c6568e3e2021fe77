-- Did some steps last much longer than the others, and what took the extra time?
--
-- This is smdebug's rule StepOutlier: more than `n_outliers` steps of a process last longer than the mean plus 3 standard deviations. More than
-- `patience` steps are required. The sentence names the activity (kernels, copies, waiting for data, ...) that takes most of the extra time, if a
-- trace shows it. It also states the number of steps between outliers, if that is constant.
--
-- empty   there are no runs
--
-- param   n_outliers  bigint = 10   number of outliers above which the finding is a warning
-- param   patience    bigint = 100  number of steps; more than this many are required
--
-- cause    pauses: checkpoints, logging, garbage collection, recompiled graphs, or data that arrives late
-- remedy   inspect these windows; run periodic work less often or asynchronously; keep shapes constant
-- limits   10 n_outliers (smdebug's StepOutlier); 100 patience (smdebug's StepOutlier); 3 standard deviations (smdebug's StepOutlier)
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
  CAST(total AS double) * outlier_steps / steps AS saving_base,
  false AS gpu_busy,
  outliers || ' of ' || outlier_steps || ' steps took more than ' || format_amount(outlier_limit, 'ns')
  || coalesce(' on rank ' || outlier_rank, '') || ' (limit: ' || $n_outliers || ' steps); the longest took ' || format_amount(outlier_max, 'ns')
  || coalesce('; one every ' || outlier_period || ' steps', '')
  || CASE WHEN outlier_start > 0 THEN '; ' || outlier_start || ' of them at the start' ELSE '' END
  || coalesce('; ' || round(100 * least(outlier_share, 1), 1) || ' % of the extra time is ' || outlier_role, '') AS found,
  outliers || ' of ' || outlier_steps || ' steps took more than ' || format_amount(outlier_limit, 'ns') AS passed,
  CASE
    WHEN outliers IS NULL OR kind <> 'step'
      THEN 'needs the durations of steps; mark them in a trace with `prof.step()`, or record them with `tracelake.record.Recorder`'
    WHEN outlier_steps <= $patience
      THEN 'needs more than ' || $patience || ' steps of a process, and there are ' || outlier_steps || '; record more steps'
  END AS missing
FROM evidence_step
