-- Is the first batch of an epoch much slower than the others?
--
-- In each pass, the wait for the first batch is divided by the median of the other waits. The value is the maximum over the passes.
--
-- empty   there are no runs
--
-- param   factor  double = 10.0  ratio of the first wait to the median of the others above which the finding is a notice
--
-- cause    workers start, caches are cold, code is compiled
-- remedy   set persistent_workers=True; run 3 warm-up batches before you measure
-- limits   10 factor (our own); slow first batch (pattern 4 of PyTorch's tutorial)
-- evidence loader.first_batch
--
-- needs   evidence_batch, evidence_load

SELECT
  b.run,
  first_relative AS value,
  $factor AS threshold,
  CASE WHEN first_relative > $factor THEN 'notice' END AS severity,
  batches AS steps,
  load_first AS potential_saving,
  l.total AS saving_base,
  b.gpu_busy,
  'the wait for the first batch takes ' || format_amount(load_first, 'ns') || ', ' || round(first_relative, 1) || ' times the median of the others (limit: '
  || round($factor, 1) || ')' AS found,
  'the wait for the first batch takes ' || round(first_relative, 1) || ' times the median of the others' AS passed,
  CASE
    WHEN first_relative IS NULL
      THEN 'needs the time of each batch from the start of the epoch; record it with `tracelake record` or LoaderProfiler'
  END AS missing
FROM evidence_batch AS b
JOIN evidence_load AS l ON l.run = b.run
