-- Does the training wait for its data?
--
-- The share of waiting is that of view `evidence_load`, by the best measure that the profiles allow: the sentence names it. Above
-- `notable` it is a notice, above `high` a warning, above `bottleneck` critical; the limits themselves are not above. At stake is the
-- waiting beyond `notable`.
--
-- empty   there are no runs
--
-- param   bottleneck  double = 0.3   share above which loading is the bottleneck
-- param   high        double = 0.2   share above which it is high
-- param   notable     double = 0.05  share above which it is notable
--
-- cause    the loop waits for data
-- remedy   more workers; pinned memory, prefetch and persistent workers; a cheaper item function; faster storage
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
  round(100 * share, 1) || ' % of ' || measured || ' waits for data' || whose AS found,
  'fine: only ' || round(100 * share, 1) || ' % of ' || measured || ' waits for data' AS passed,
  CASE
    WHEN share IS NULL
      THEN
        'needs timings of the loader'
        || coalesce(' (' || why || ')', '')
        || '; record them with `tracelake record`, or profile a run whose trace shows its DataLoader'
  END AS missing
FROM (
  SELECT
    *,
    CASE measure
      WHEN 'exclusive' THEN 'the time of the steps'
      WHEN 'rest' THEN 'the loop, first batches left out,'
      WHEN 'all' THEN 'the loop'
      ELSE 'the training epochs'
    END AS measured,
    CASE WHEN loops > 1 AND rank IS NOT NULL THEN ' on rank ' || rank ELSE '' END AS whose
  FROM evidence_load
) AS l
