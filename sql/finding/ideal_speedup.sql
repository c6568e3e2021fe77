-- How much faster would an epoch be without data loading?
--
-- The value is the real time of a pass divided by its ideal time. The ideal time is that of a pass that replays batches cached in memory.
--
-- empty   there are no runs
--
-- param   critical  double = 1.5  speed-up above which the finding is critical: loading is the bottleneck
-- param   warning   double = 1.1  speed-up above which the finding is a warning: there is something to gain
--
-- cause    loading limits the epoch
-- remedy   increase num_workers, make the item function cheaper, use faster storage; the speed-up is the maximum gain
-- limits   1.1 warning (notebook of DALI's Loader Evaluator); 1.5 critical (notebook of DALI's Loader Evaluator)
-- evidence loader.real_vs_ideal
--
-- needs   evidence_ideal

SELECT
  run,
  speedup AS value,
  limit_reached AS threshold,
  CASE WHEN speedup > $critical THEN 'critical' WHEN speedup > $warning THEN 'warning' END AS severity,
  batches AS steps,
  saved AS potential_saving,
  saved / nullif(saved_ratio, 0) AS saving_base,
  'load_share_high' AS explained_by,
  gpu_busy,
  'without data loading an epoch would be ' || round(speedup, 2) || ' times as fast (limit: ' || round(limit_reached, 2) || '): at most '
  || round(100 * saved_ratio, 1) || ' % of its time can be saved' AS found,
  'without data loading an epoch would be ' || round(speedup, 2) || ' times as fast' AS passed,
  CASE
    WHEN speedup IS NULL
      THEN
        'needs a real pass and a replay of cached batches'
        || coalesce(' (' || why || ')', '')
        || '; record them with `LoaderEvaluator(..., mode="log")` and `LoaderEvaluator(..., mode="replay")`'
  END AS missing
FROM (
  SELECT *, CASE WHEN speedup > $critical THEN $critical ELSE $warning END AS limit_reached
  FROM evidence_ideal
) AS i
