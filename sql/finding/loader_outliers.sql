-- Do some batches take much longer than the others?
--
-- Counts waits of at least twice the median. First batches of a pass are excluded from the count and from the median. If a run has several loops,
-- the sentence is about the loop with the largest share of such waits. The potential saving is the longest wait of that loop.
--
-- empty   there are no runs
--
-- param   ratio  double in 0..1 = 0.05  share of such waits above which the finding is a notice
--
-- cause    slow files, storage stalls, pauses of the machine
-- remedy   compare the windows of `loader.slow_batches` with the load of the machine
-- limits   0.05 ratio (our own); 2 times the median (smdebug)
-- evidence loader.slow_batches, loader.jitter
--
-- needs   evidence_batch, evidence_load

SELECT
  b.run,
  outlier_ratio AS value,
  $ratio AS threshold,
  CASE WHEN outlier_ratio > $ratio THEN 'notice' END AS severity,
  rest AS steps,
  outlier_load AS potential_saving,
  l.total AS saving_base,
  b.gpu_busy,
  outliers || ' of ' || rest || ' waits' || coalesce(' on rank ' || outlier_rank, '') || ' take at least twice the median (limit: ' || round(100 * $ratio, 1) || ' %)' AS found,
  outliers || ' of ' || rest || ' waits' || coalesce(' on rank ' || outlier_rank, '') || ' take at least twice the median' AS passed,
  CASE
    WHEN outlier_ratio IS NULL
      THEN 'needs the wait for each batch; record it with `tracelake record`, LoaderProfiler or a trace that shows the DataLoader'
  END AS missing
FROM evidence_batch AS b
JOIN evidence_load AS l ON l.run = b.run
