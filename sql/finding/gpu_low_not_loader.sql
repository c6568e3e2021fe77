-- Is the GPU idle for a reason other than data loading?
--
-- GPU utilization is below `low`, although the share of waiting (view `evidence_load`) is not above `notable`. With a larger share, waiting for data
-- is a cause: see `load_share_high` and `gpu_starved_by_loader`.
--
-- empty   there are no runs
--
-- param   low      double in 0..1 = 0.5   GPU utilization below which the GPU counts as idle
-- param   notable  double in 0..1 = 0.05  share of waiting up to which waiting for data is not a cause
--
-- cause    the model, the optimizer, host code, a small batch, or communication
-- remedy   check the model and the optimizer; with a trace, check small_kernels, launch_bound and communication_high
-- limits   0.5 low (PyTorch's tutorial, TensorBoard plugin); 0.05 notable (TensorBoard plugin, XProf)
-- evidence utilization.summary, kernel.occupancy, kernel.idle_breakdown
--
-- needs   evidence_load, evidence_gpu

SELECT
  l.run,
  l.gpu_utilization AS value,
  $low AS threshold,
  CASE WHEN l.gpu_utilization < $low AND l.share <= $notable THEN 'warning' END AS severity,
  l.steps,
  TRY_CAST((1 - l.gpu_utilization) * g.total AS bigint) AS potential_saving,
  g.total AS saving_base,
  false AS gpu_busy,
  'GPU utilization is ' || round(100 * l.gpu_utilization, 1) || ' % (limit: ' || round(100 * $low, 1) || ' %); only ' || round(100 * l.share, 1)
  || ' % of step time is spent waiting for data' AS found,
  CASE
    WHEN l.gpu_utilization < $low
      THEN 'GPU utilization is ' || round(100 * l.gpu_utilization, 1) || ' %; ' || round(100 * l.share, 1) || ' % of step time is spent waiting for data'
    ELSE 'GPU utilization is ' || round(100 * l.gpu_utilization, 1) || ' %'
  END AS passed,
  CASE
    WHEN l.gpu_utilization IS NULL AND l.share IS NULL THEN 'needs samples of the GPU and timings of the loader; record both with `tracelake record`'
    WHEN l.gpu_utilization IS NULL THEN 'needs samples of the GPU; record them with `tracelake record`, or take a trace with its kernels'
    WHEN l.share IS NULL THEN 'needs timings of the loader; record them with `tracelake record` or a trace that shows the DataLoader'
  END AS missing
FROM evidence_load AS l
JOIN evidence_gpu AS g ON g.run = l.run
