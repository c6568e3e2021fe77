-- Are the GPUs idle because data arrives too slowly?
--
-- GPU utilization is below `low` while the share of waiting (view `evidence_load`) is above `high`: waiting for data is the main cause. A share
-- between `notable` and `high` (0.05 and 0.2 by default) is too small for this finding. `load_share_high` reports it as a notice, and `unattributed`
-- names it as one cause.
--
-- empty   there are no runs
--
-- param   low      double in 0..1 = 0.5   GPU utilization below which the GPU counts as idle
-- param   high     double in 0..1 = 0.2   share of waiting above which it is high
-- param   notable  double in 0..1 = 0.05  acceptable share of waiting; the potential saving is the waiting beyond it
--
-- cause    loading is too slow for the GPU
-- remedy   increase num_workers, then make the item function cheaper
-- limits   0.5 low (PyTorch's tutorial, TensorBoard plugin); 0.2 high (XProf); 0.05 notable (TensorBoard plugin, XProf)
-- evidence utilization.summary, kernel.occupancy, loader.share, step.loader_share
--
-- needs   evidence_load

SELECT
  run,
  gpu_utilization AS value,
  $low AS threshold,
  CASE WHEN gpu_utilization < $low AND share > $high THEN 'critical' END AS severity,
  steps,
  CASE WHEN share > $notable THEN TRY_CAST((share - $notable) * total AS bigint) END AS potential_saving,
  total AS saving_base,
  'load_share_high' AS explained_by,
  false AS gpu_busy,
  'GPU utilization is ' || round(100 * gpu_utilization, 1) || ' % (limit: ' || round(100 * $low, 1) || ' %); ' || round(100 * share, 1)
  || ' % of step time is spent waiting for data (limit: ' || round(100 * $high, 1) || ' %)' AS found,
  CASE
    WHEN gpu_utilization < $low THEN 'GPU utilization is ' || round(100 * gpu_utilization, 1) || ' %, but waiting for data is not the main cause'
    ELSE 'GPU utilization is ' || round(100 * gpu_utilization, 1) || ' %'
  END AS passed,
  CASE
    WHEN gpu_utilization IS NULL AND share IS NULL THEN 'needs samples of the GPU and timings of the loader; record both with `tracelake record`'
    WHEN gpu_utilization IS NULL THEN 'needs samples of the GPU; record them with `tracelake record`, or take a trace with its kernels'
    WHEN share IS NULL THEN 'needs timings of the loader; record them with `tracelake record` or a trace that shows the DataLoader'
  END AS missing
FROM evidence_load
