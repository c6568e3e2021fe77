-- How much faster would an epoch be without data loading?
--
-- The value is the real time over the ideal time of a pair of passes. The ideal pass replays batches that are cached in memory.
--
-- empty   there are no runs
--
-- param   bottleneck  double = 1.5  speed-up above which the finding is critical: loading is the bottleneck
-- param   potential   double = 1.1  speed-up above which the finding is a warning: there is something to gain
--
-- cause    loading limits the epoch
-- remedy   increase num_workers, make the item function cheaper, use faster storage; the speed-up is the maximum gain
-- limits   1.5 and 1.1 notebook of DALI's Loader Evaluator
-- evidence loader.real_vs_ideal
--
-- needs   evidence_ideal

SELECT
  run,
  speedup AS value,
  $potential AS threshold,
  CASE WHEN speedup > $bottleneck THEN 'critical' WHEN speedup > $potential THEN 'warning' END AS severity,
  batches AS steps,
  saved AS potential_saving,
  gpu_busy,
  'without data loading an epoch would be ' || round(speedup, 2) || ' times as fast (limit: ' || round($potential, 2) || '): at most '
  || round(100 * saved_ratio, 1) || ' % of its time can be saved' AS found,
  'without data loading an epoch would be ' || round(speedup, 2) || ' times as fast' AS passed,
  CASE
    WHEN speedup IS NULL
      THEN
        'needs a pass over cached batches next to the real pass'
        || coalesce(' (' || why || ')', '')
        || '; record both with `LoaderEvaluator(..., mode="replay")`'
  END AS missing
FROM evidence_ideal
