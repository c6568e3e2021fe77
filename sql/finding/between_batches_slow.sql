-- Is there much time between batches although the next batch is ready?
--
-- A pause is a batch that takes at least twice the median of its loop and spends more of the extra time on other work than on waiting for data. The
-- value is the extra time of all pauses divided by the time of the loop (view `evidence_pause`). First batches of a pass are excluded.
--
-- empty   there are no runs
--
-- param   warning  double in 0..1 = 0.2   share of loop time above which the finding is a warning
-- param   notice   double in 0..1 = 0.05  share of loop time above which the finding is a notice
--
-- cause    metrics, logging, printing, checkpoints or evaluation run between the steps
-- remedy   move this work out of the loop, run it less often, or run it in the background
-- limits   0.05 notice (XProf's limit for data); 0.2 warning (XProf's limit for data); 2 times the median (smdebug's batch time)
-- evidence loader.batch_time, loader.batch_time_outliers, loader.batches
--
-- needs   evidence_pause

SELECT
  run,
  pause_ratio AS value,
  limit_reached AS threshold,
  CASE WHEN pause_ratio > $warning THEN 'warning' WHEN pause_ratio > $notice THEN 'notice' END AS severity,
  batches AS steps,
  pause_extra AS potential_saving,
  total AS saving_base,
  false AS gpu_busy,
  'pauses other than waits for data take ' || round(100 * pause_ratio, 1) || ' % of loop time' || coalesce(' on rank ' || rank, '') || ' (limit: '
  || round(100 * limit_reached, 1) || ' %): ' || pauses || ' of ' || batches
  || ' batches took at least twice the median of ' || format_amount(batch_p50, 'ns') || ', the longest ' || format_amount(pause_max, 'ns')
  || coalesce('; one pause every ' || period || ' batches', '') AS found,
  'pauses other than waits for data take ' || round(100 * pause_ratio, 1) || ' % of loop time' AS passed,
  CASE
    WHEN pause_ratio IS NULL
      THEN 'needs the wait and the compute time of each batch; record them with `tracelake record`, LoaderProfiler or a trace that shows the DataLoader'
  END AS missing
FROM (
  SELECT *, CASE WHEN pause_ratio > $warning THEN $warning ELSE $notice END AS limit_reached
  FROM evidence_pause
) AS p
