-- Does the loader restart its workers for every pass?
--
-- A process creates at least two iterators, and at least as many as it makes passes over its data. The value is the share of time spent on creating
-- iterators. Above `notable` the finding is a notice, above `high` a warning (view `evidence_setup`).
--
-- empty   there are no runs
--
-- param   high     double = 0.05  share of the time above which the finding is a warning
-- param   notable  double = 0.01  share of the time above which the finding is a notice
--
-- cause    workers end with the pass and start again for the next pass
-- remedy   set persistent_workers=True
-- limits   our own: 0.01, based on smdebug's analysis of initializations, and 0.05
-- evidence loader.init, loader.init_outliers, loader.epochs
--
-- needs   evidence_setup

SELECT
  run,
  share AS value,
  $notable AS threshold,
  CASE
    WHEN inits < 2 OR inits < passes THEN NULL
    WHEN share > $high THEN 'warning'
    WHEN share > $notable THEN 'notice'
  END AS severity,
  batches AS steps,
  init AS potential_saving,
  gpu_busy,
  'creating ' || inits || ' iterators for ' || passes || CASE passes WHEN 1 THEN ' pass' ELSE ' passes' END
  || ' takes ' || round(100 * share, 1) || ' % of the time' || coalesce(' on rank ' || rank, '')
  || ' (limit: ' || round(100 * $notable, 1) || ' %)' AS found,
  CASE
    WHEN inits < 2 THEN 'an iterator is created once'
    WHEN inits < passes THEN inits || ' iterators are created for ' || passes || ' passes'
    ELSE 'creating ' || inits || ' iterators takes ' || round(100 * share, 2) || ' % of the time'
  END AS passed,
  CASE
    WHEN inits IS NULL THEN 'needs the start times of the loader; record them with `tracelake record` or LoaderProfiler'
    WHEN inits > 1 AND share IS NULL THEN 'needs the time of the passes; record the batches with `tracelake record` or LoaderProfiler'
  END AS missing
FROM evidence_setup
