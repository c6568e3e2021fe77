-- Does the loader keep the accelerator as busy as MLPerf Storage asks?
--
-- Computing over computing and waiting for data, the first batch of each pass left out, mean over the loops (`loader.utilization`). It says nothing
-- of what the accelerator did while the loop computed.
--
-- empty   there are no runs
--
-- param   target  double = 0.9  share of computing below which it is low; MLPerf Storage asks for 0.7 of some models
--
-- cause    loading is not hidden by computing
-- remedy   as load_share_high: more workers, prefetch, a cheaper item function, faster storage
-- limits   0.9 MLPerf Storage
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
  l.gpu_busy,
  'the loop computes for ' || round(100 * p.computing, 1) || ' % of its time'
  || CASE WHEN p.loops > 1 THEN ' (mean of ' || p.loops || ' loops)' ELSE '' END || ', MLPerf Storage asks for '
  || round(100 * $target, 1) || ' %' AS found,
  'fine: the loop computes for ' || round(100 * p.computing, 1) || ' % of its time' AS passed,
  CASE
    WHEN p.computing IS NULL
      THEN 'needs the time of the work on each batch' || coalesce(' (' || p.why || ')', '') || '; record them with `tracelake record` or LoaderProfiler'
  END AS missing
FROM evidence_pause AS p
JOIN evidence_load AS l ON l.run = p.run
