-- Does the GPU idle for another reason than its data?
--
-- Utilization lies below `low` although the share of waiting (view `evidence_load`) is not above `notable`.
--
-- empty   there are no runs
--
-- param   low      double = 0.5   utilization below which a GPU idles
-- param   notable  double = 0.05  share of waiting up to which loading is not why
--
-- cause    the model, the optimizer, host code, a small batch, or communication
-- remedy   a look at model and optimizer; small_kernels, launch_bound and communication_high say more where there is a trace
-- limits   0.5 PyTorch's tutorial and the TensorBoard plugin, 0.05 TensorBoard plugin and XProf
-- evidence utilization.summary, kernel.occupancy, kernel.idle_breakdown
--
-- needs   evidence_load, evidence_gpu

SELECT
  l.run,
  l.busy AS value,
  $low AS threshold,
  CASE WHEN l.busy < $low AND l.share <= $notable THEN 'warning' END AS severity,
  l.steps,
  TRY_CAST((1 - l.busy) * g.total AS bigint) AS potential_saving,
  false AS gpu_busy,
  'the GPU is busy for ' || round(100 * l.busy, 1) || ' % only, and it is not the data: only ' || round(100 * l.share, 1)
  || ' % of the time is waiting for it' AS found,
  CASE
    WHEN l.busy < $low
      THEN 'the GPU is busy for ' || round(100 * l.busy, 1) || ' % only, and ' || round(100 * l.share, 1) || ' % of the time is waiting for data'
    ELSE 'fine: the GPU is busy for ' || round(100 * l.busy, 1) || ' %'
  END AS passed,
  CASE
    WHEN l.busy IS NULL AND l.share IS NULL THEN 'needs samples of the GPU and timings of the loader; record both with `tracelake record`'
    WHEN l.busy IS NULL THEN 'needs samples of the GPU; record them with `tracelake record`, or take a trace with its kernels'
    WHEN l.share IS NULL THEN 'needs timings of the loader; record them with `tracelake record`'
  END AS missing
FROM evidence_load AS l
JOIN evidence_gpu AS g ON g.run = l.run
