-- Is accelerator utilization below the MLPerf Storage target?
--
-- Accelerator utilization is compute time divided by the sum of compute time and waiting time. The first batch of each pass is excluded. The value is
-- the mean of the loops (`loader.utilization`). It does not show what the accelerator did while the loop computed.
--
-- empty   there are no runs
--
-- param   target  double in 0..1 = 0.9  accelerator utilization below which it is low; MLPerf Storage requires 0.7 for some models
--
-- cause    computation does not hide data loading
-- remedy   see load_share_high: increase num_workers, prefetch more batches, make the item function cheaper, use faster storage
-- limits   0.9 target (MLPerf Storage)
-- evidence loader.utilization, loader.share
--
-- needs   evidence_pause, evidence_load

SELECT
  p.run,
  p.computing AS value,
  $target AS threshold,
  CASE WHEN p.computing < $target THEN 'notice' END AS severity,
  p.measured AS steps,
  TRY_CAST(($target - p.computing) * l.total AS bigint) AS potential_saving,
  l.total AS saving_base,
  'load_share_high' AS explained_by,
  l.gpu_busy,
  'accelerator utilization, the share of time not spent waiting for data, is ' || round(100 * p.computing, 1) || ' % ('
  || CASE WHEN p.loops > 1 THEN 'mean of ' || p.loops || ' loops; ' ELSE '' END || 'MLPerf Storage target: '
  || round(100 * $target, 1) || ' %)' AS found,
  'accelerator utilization is ' || round(100 * p.computing, 1) || ' %' AS passed,
  CASE
    WHEN p.computing IS NULL
      THEN
        'needs the compute time of each batch' || coalesce(' (' || p.why || ')', '')
        || '; record it with `tracelake record`, LoaderProfiler or a trace that shows the DataLoader'
  END AS missing
FROM evidence_pause AS p
JOIN evidence_load AS l ON l.run = p.run
