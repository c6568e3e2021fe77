-- Does the training process load its own data and wait for it?
--
-- The loader has no worker processes, and the share of waiting (view `evidence_load`) is above `warning`.
--
-- empty   there are no runs
--
-- param   warning  double in 0..1 = 0.2   share of waiting above which the finding is a warning
-- param   notable  double in 0..1 = 0.05  acceptable share of waiting; the potential saving is the waiting beyond it
--
-- cause    loading and training alternate in one process
-- remedy   set num_workers to 2, then 4, then 8, as long as it helps
-- limits   0.2 warning (XProf); 0.05 notable (TensorBoard plugin, XProf); no workers (second step of PyTorch's tutorial)
-- evidence loader.init, loader.share
--
-- needs   evidence_load

SELECT
  run,
  share AS value,
  $warning AS threshold,
  CASE WHEN num_workers = 0 AND share > $warning THEN 'warning' END AS severity,
  steps,
  CASE WHEN share > $notable THEN TRY_CAST((share - $notable) * total AS bigint) END AS potential_saving,
  total AS saving_base,
  gpu_busy,
  'the loader has no workers; ' || round(100 * share, 1) || ' % of step time is spent waiting for data (limit: '
  || round(100 * $warning, 1) || ' %)' AS found,
  CASE
    WHEN num_workers > 0 THEN 'the loader has ' || num_workers || CASE num_workers WHEN 1 THEN ' worker' ELSE ' workers' END
    ELSE 'the loader has no workers, but only ' || round(100 * share, 1) || ' % of step time is spent waiting for data'
  END AS passed,
  CASE
    WHEN num_workers IS NULL
      THEN 'needs the number of workers; record it with `tracelake record` or LoaderProfiler, or set tag `num_workers` at ingest'
    WHEN num_workers = 0 AND share IS NULL THEN 'needs timings of the loader; record them with `tracelake record` or LoaderProfiler'
  END AS missing
FROM evidence_load
