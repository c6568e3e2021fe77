-- Does the training process load its data itself, and wait for it?
--
-- The loader has no worker processes, and the share of waiting (view `evidence_load`) lies above `high`.
--
-- empty   there are no runs
--
-- param   high     double = 0.2   share of waiting above which it is high
-- param   notable  double = 0.05  share of waiting that is not at stake
--
-- cause    loading and training take turns in one process
-- remedy   num_workers of 2, then 4, then 8, as long as it helps
-- limits   0.2 XProf; the second step of PyTorch's tutorial; 0.05 TensorBoard plugin and XProf
-- evidence loader.init, loader.share
--
-- needs   evidence_load

SELECT
  run,
  share AS value,
  $high AS threshold,
  CASE WHEN num_workers = 0 AND share > $high THEN 'warning' END AS severity,
  steps,
  CASE WHEN share > $notable THEN TRY_CAST((share - $notable) * total AS bigint) END AS potential_saving,
  gpu_busy,
  'the loader has no workers, and ' || round(100 * share, 1) || ' % of the time is waiting for data' AS found,
  CASE
    WHEN num_workers > 0 THEN 'fine: the loader has ' || num_workers || CASE num_workers WHEN 1 THEN ' worker' ELSE ' workers' END
    ELSE 'fine: the loader has no workers, and only ' || round(100 * share, 1) || ' % of the time is waiting for data'
  END AS passed,
  CASE
    WHEN num_workers IS NULL
      THEN 'needs the number of workers; record it with `tracelake record`, or give it as tag `num_workers` at ingest'
    WHEN num_workers = 0 AND share IS NULL THEN 'needs timings of the loader; record them with `tracelake record` or LoaderProfiler'
  END AS missing
FROM evidence_load
