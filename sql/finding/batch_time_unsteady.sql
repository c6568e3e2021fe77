-- Do the waits for batches vary a lot?
--
-- The value is the 95th percentile of the waits over their median. First batches of a pass are excluded. Too few workers deliver batches in bursts. The
-- distance between long waits, in batches, then equals the number of workers.
--
-- empty   there are no runs
--
-- param   factor  double = 2.0  ratio of the 95th percentile to the median above which the finding is a notice
--
-- cause    storage latency varies, or too few workers deliver batches in bursts
-- remedy   use faster storage, increase prefetch_factor or num_workers; check the distance between long waits
-- limits   pattern 5 of PyTorch's tutorial; 2 as in smdebug's outliers
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
  'the 95th percentile of the waits is ' || round(unsteadiness, 1) || ' times the median of ' || round(load_p50 / 1e6, 2)
  || ' ms (limit: ' || round($factor, 1) || ')' AS found,
  'the 95th percentile of the waits is ' || round(unsteadiness, 1) || ' times their median' AS passed,
  CASE
    WHEN unsteadiness IS NULL
      THEN 'needs the time of each batch from the start of the epoch; record it with `tracelake record` or LoaderProfiler'
  END AS missing
FROM evidence_batch
