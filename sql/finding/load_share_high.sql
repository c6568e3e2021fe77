-- Does training wait for data?
--
-- The value is the share of waiting of view `evidence_load`, by the best measure that the profiles allow. The sentence names the measure. Above
-- `notable` the finding is a notice, above `high` a warning, above `bottleneck` critical. A value equal to a limit is not above it. The potential saving
-- is the waiting beyond `notable`.
--
-- empty   there are no runs
--
-- param   bottleneck  double = 0.3   share above which the finding is critical: loading is the bottleneck
-- param   high        double = 0.2   share above which the finding is a warning
-- param   notable     double = 0.05  share above which the finding is a notice
--
-- cause    the loop waits for data
-- remedy   increase num_workers; use pinned memory, prefetching and persistent workers; make the item function cheaper; use faster storage
-- limits   0.05 TensorBoard plugin and XProf, 0.2 XProf, 0.3 PyTorch's tutorial
-- evidence loader.share, step.loader_share
--
-- needs   evidence_load

SELECT
  run,
  share AS value,
  CASE WHEN share > $bottleneck THEN $bottleneck WHEN share > $high THEN $high ELSE $notable END AS threshold,
  CASE
    WHEN share > $bottleneck THEN 'critical'
    WHEN share > $high THEN 'warning'
    WHEN share > $notable THEN 'notice'
  END AS severity,
  steps,
  TRY_CAST((share - $notable) * total AS bigint) AS potential_saving,
  gpu_busy,
  round(100 * share, 1) || ' % of ' || measured || ' is spent waiting for data' || whose
  || ' (limit: ' || round(100 * $notable, 1) || ' %)' AS found,
  round(100 * share, 1) || ' % of ' || measured || ' is spent waiting for data' AS passed,
  CASE
    WHEN share IS NULL
      THEN
        'needs timings of the loader'
        || coalesce(' (' || why || ')', '')
        || '; record them with `tracelake record`, or record a trace that shows the DataLoader'
  END AS missing
FROM (
  SELECT
    *,
    CASE measure
      WHEN 'exclusive' THEN 'step time'
      WHEN 'rest' THEN 'loop time (first batches excluded)'
      WHEN 'all' THEN 'loop time'
      ELSE 'training epoch time'
    END AS measured,
    CASE WHEN loops > 1 AND rank IS NOT NULL THEN ' on rank ' || rank ELSE '' END AS whose
  FROM evidence_load
) AS l
