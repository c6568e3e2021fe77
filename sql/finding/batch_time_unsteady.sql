-- Do the waits for batches vary a lot?
--
-- The value is the 95th percentile of the waits divided by their median. First batches of a pass are excluded. Too few workers deliver batches in
-- bursts. In that case, the number of batches from one long wait to the next equals the number of workers.
--
-- empty   there are no runs
--
-- param   factor  double = 2.0  ratio of the 95th percentile to the median above which the finding is a notice
--
-- cause    storage latency varies, or too few workers deliver batches in bursts
-- remedy   use faster storage, increase prefetch_factor or num_workers; compare the distance between long waits with the number of workers
-- limits   2 factor (smdebug's outliers); unsteady waits (pattern 5 of PyTorch's tutorial)
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
  'the 95th percentile of the waits is ' || round(unsteadiness, 1) || ' times the median of ' || format_amount(load_p50, 'ns')
  || ' (limit: ' || round($factor, 1) || ')' AS found,
  'the 95th percentile of the waits is ' || round(unsteadiness, 1) || ' times their median' AS passed,
  CASE
    WHEN unsteadiness IS NULL
      THEN 'needs the wait for each batch; record it with `tracelake record`, LoaderProfiler or a trace that shows the DataLoader'
  END AS missing
FROM evidence_batch
