-- Do the waits for batches vary a lot?
--
-- The 95th percentile of the waits over their median, first batches of a pass left out. Workers that are too few deliver in bursts:
-- then the long waits come at a distance of as many batches as there are workers.
--
-- empty   there are no runs
--
-- param   factor  double = 2.0  how many times the median the 95th percentile must exceed
--
-- cause    storage answers unevenly, or too few workers deliver in bursts
-- remedy   faster storage, a larger prefetch factor, more workers; look at the distance of the long waits
-- limits   pattern 5 of PyTorch's tutorial, 2 after smdebug's outliers
-- evidence loader.jitter, loader.slow_batches
--
-- needs   evidence_batch

SELECT
  run,
  unsteadiness AS value,
  $factor AS threshold,
  CASE WHEN unsteadiness > $factor THEN 'notice' END AS severity,
  batches AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  gpu_busy,
  'one wait in twenty takes more than ' || round(unsteadiness, 1) || ' times the median of ' || round(load_p50 / 1e6, 2) || ' ms' AS found,
  'fine: the 95th percentile of the waits is ' || round(unsteadiness, 1) || ' times their median' AS passed,
  CASE WHEN unsteadiness IS NULL THEN 'needs the time of each batch from the start of the epoch; record it with `tracelake record` or LoaderProfiler' END AS missing
FROM evidence_batch
