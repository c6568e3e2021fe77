-- Does much time pass between batches although the next one is there?
--
-- Batches that took at least twice the median of their loop, and spent more of that on other things than on waiting for data: what they took beyond the
-- median, over the time of the loop (view `evidence_pause`). First batches of a pass are left out.
--
-- empty   there are no runs
--
-- param   high     double = 0.2   share of the loop above which it is high
-- param   notable  double = 0.05  share above which it is notable
--
-- cause    metrics, logging, printing, checkpoints or evaluation between the steps
-- remedy   move it out of the loop, do it less often, or in the background
-- limits   twice the median smdebug's batch time; 0.05 and 0.2 XProf's for data
-- evidence loader.batch_time, loader.batch_time_outliers, loader.batches
--
-- needs   evidence_pause

SELECT
  run,
  pause_ratio AS value,
  $notable AS threshold,
  CASE WHEN pause_ratio > $high THEN 'warning' WHEN pause_ratio > $notable THEN 'notice' END AS severity,
  batches AS steps,
  pause_extra AS potential_saving,
  false AS gpu_busy,
  pauses || ' of ' || batches || ' batches took at least twice the median of ' || round(batch_p50 / 1e6, 1)
  || ' ms, not for want of data: ' || round(pause_extra / 1e9, 3) || ' s more, ' || round(100 * pause_ratio, 1) || ' % of the loop, the longest '
  || round(pause_max / 1e6, 1) || ' ms' || coalesce(', one every ' || period || ' batches', '')
  || coalesce(' on rank ' || rank, '') AS found,
  'fine: pauses that are no waits for data take ' || round(100 * pause_ratio, 1) || ' % of the loop' AS passed,
  CASE WHEN pause_ratio IS NULL THEN 'needs the time of each batch and of the work on it; record them with `tracelake record` or LoaderProfiler' END AS missing
FROM evidence_pause
