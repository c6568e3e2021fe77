-- How much faster would an epoch be with data that costs nothing?
--
-- Real over ideal time of a pair of passes, the second of which replays batches that are kept in memory.
--
-- empty   there are no runs
--
-- param   bottleneck  double = 1.5  speed-up above which loading is the bottleneck
-- param   potential   double = 1.1  speed-up above which there is something to gain
--
-- cause    loading limits the epoch
-- remedy   more workers, a cheaper item function, faster storage; the speed-up is the most that they can bring
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
  'with data that costs nothing an epoch would be ' || round(speedup, 2) || ' times as fast: '
  || round(100 * saved_ratio, 1) || ' % of its time can be gained at most' AS found,
  'fine: with data that costs nothing an epoch would be ' || round(speedup, 2) || ' times as fast' AS passed,
  CASE
    WHEN speedup IS NULL
      THEN
        'needs a pass with kept batches beside the real one'
        || coalesce(' (' || why || ')', '')
        || '; record both with `LoaderEvaluator(..., mode="replay")`'
  END AS missing
FROM evidence_ideal
