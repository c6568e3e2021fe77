-- Is the first batch of an epoch much slower than the others?
--
-- The greatest wait for the first batch of a pass over the median of the other waits of that pass.
--
-- empty   there are no runs
--
-- param   factor  double = 10.0  how many times the median of the others the first wait must exceed
--
-- cause    workers start, caches are cold, code is compiled
-- remedy   persistent workers; a warm-up of 3 batches before anything is measured
-- limits   pattern 4 of PyTorch's tutorial, 10 is ours
-- evidence loader.first_batch
--
-- needs   evidence_batch

SELECT
  run,
  first AS value,
  $factor AS threshold,
  CASE WHEN first > $factor THEN 'notice' END AS severity,
  batches AS steps,
  load_first AS potential_saving,
  gpu_busy,
  'the first batch takes ' || round(load_first / 1e6, 1) || ' ms, ' || round(first, 1) || ' times the median of the others' AS found,
  'fine: the first batch takes ' || round(first, 1) || ' times the median of the others' AS passed,
  CASE WHEN first IS NULL THEN 'needs the time of each batch from the start of the epoch; record it with `tracelake record` or LoaderProfiler' END AS missing
FROM evidence_batch
