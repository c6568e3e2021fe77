-- Do the GPUs idle because data comes too slowly?
--
-- Utilization lies below `low` while the share of waiting (view `evidence_load`) lies above `high`.
--
-- empty   there are no runs
--
-- param   low      double = 0.5   utilization below which a GPU idles
-- param   high     double = 0.2   share of waiting above which it is high
-- param   notable  double = 0.05  share of waiting that is not at stake
--
-- cause    loading is too slow for the GPU
-- remedy   more workers, then a cheaper item function
-- limits   0.5 PyTorch's tutorial and the TensorBoard plugin, 0.2 XProf; 0.05 TensorBoard plugin and XProf
-- evidence utilization.summary, kernel.occupancy, loader.share, step.loader_share
--
-- needs   evidence_load

SELECT
  run,
  busy AS value,
  $low AS threshold,
  CASE WHEN busy < $low AND share > $high THEN 'critical' END AS severity,
  steps,
  CASE WHEN share > $notable THEN TRY_CAST((share - $notable) * total AS bigint) END AS potential_saving,
  false AS gpu_busy,
  'the GPU is busy for ' || round(100 * busy, 1) || ' % only while ' || round(100 * share, 1)
  || ' % of the time is waiting for data' AS found,
  CASE
    WHEN busy < $low THEN 'the GPU is busy for ' || round(100 * busy, 1) || ' % only, but loading is not why'
    ELSE 'fine: the GPU is busy for ' || round(100 * busy, 1) || ' %'
  END AS passed,
  CASE
    WHEN busy IS NULL AND share IS NULL THEN 'needs samples of the GPU and timings of the loader; record both with `tracelake record`'
    WHEN busy IS NULL THEN 'needs samples of the GPU; record them with `tracelake record`, or take a trace with its kernels'
    WHEN share IS NULL THEN 'needs timings of the loader; record them with `tracelake record`'
  END AS missing
FROM evidence_load
