-- Does training wait for data?
--
-- The value is the share of the time, from 0 to 1, that the loop waited for data (view `evidence_load`), by the best measure that the profiles
-- allow. The sentence names the measure. Above `notice` the finding is a notice, above `warning` a warning, above `critical` critical. A value
-- equal to a limit is not above it. The potential saving is the time waited above `notice`, in ns. The measure of loops with timed batches
-- excludes the first batch of each pass; the other measures, and `loader_ratio` of `loader.share`, include it.
--
-- empty   there are no runs; ingest a profile first
--
-- param   critical  double in 0..1 = 0.3   share above which the finding is critical: loading is the bottleneck
-- param   warning   double in 0..1 = 0.2   share above which the finding is a warning
-- param   notice    double in 0..1 = 0.05  share above which the finding is a notice
--
-- cause    the loop waits for data
-- remedy   increase num_workers; use pinned memory, prefetching and persistent workers; make the item function cheaper; use faster storage
-- limits   0.05 notice (TensorBoard plugin, XProf); 0.2 warning (XProf); 0.3 critical (PyTorch's tutorial)
-- evidence loader.share, step.loader_share
--
-- needs   evidence_load

SELECT
  run,
  share AS value,
  limit_reached AS threshold,
  CASE
    WHEN share > $critical THEN 'critical'
    WHEN share > $warning THEN 'warning'
    WHEN share > $notice THEN 'notice'
  END AS severity,
  steps,
  TRY_CAST((share - $notice) * total AS bigint) AS potential_saving,
  total AS saving_base,
  CASE num_workers WHEN 0 THEN 'no_workers' ELSE 'workers_needed' END AS explained_by,
  gpu_busy,
  round(100 * share, 1) || ' % of ' || total_name || ' is spent waiting for data' || rank_suffix
  || ' (limit: ' || round(100 * limit_reached, 1) || ' %)' AS found,
  round(100 * share, 1) || ' % of ' || total_name || ' is spent waiting for data' AS passed,
  CASE
    WHEN share IS NULL
      THEN
        'needs timings of the loader'
        || coalesce(' (' || why || ')', '')
        || '; record them with `tracelake record`, LoaderProfiler or a trace that shows the DataLoader'
  END AS missing
FROM (
  SELECT
    *,
    CASE WHEN share > $critical THEN $critical WHEN share > $warning THEN $warning ELSE $notice END AS limit_reached,
    CASE measure
      WHEN 'exclusive' THEN 'step time'
      WHEN 'rest' THEN 'loop time (first batches excluded)'
      WHEN 'all' THEN 'loop time'
      ELSE 'training epoch time'
    END AS total_name,
    CASE WHEN loops > 1 AND rank IS NOT NULL THEN ' on rank ' || rank ELSE '' END AS rank_suffix
  FROM evidence_load
)
