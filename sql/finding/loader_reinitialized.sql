-- Are the workers of the loader started anew for every pass?
--
-- A process makes an iterator at least as often as it passes over its data, at least twice, and that takes more than `notable` of the time: a
-- notice, above `high` a warning (view `evidence_setup`).
--
-- empty   there are no runs
--
-- param   high     double = 0.05  share of the time above which it is high
-- param   notable  double = 0.01  share of the time above which it is notable
--
-- cause    workers end with the pass and are started again for the next one
-- remedy   persistent_workers=True
-- limits   our own: 0.01, after smdebug's analysis of initializations, and 0.05
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
  'iterators are made ' || inits || ' times for ' || passes || CASE passes WHEN 1 THEN ' pass' ELSE ' passes' END
  || ', which takes ' || round(100 * share, 1) || ' % of the time' || coalesce(' (rank ' || rank || ')', '') AS found,
  CASE
    WHEN inits < 2 THEN 'fine: an iterator is made once'
    WHEN inits < passes THEN 'fine: ' || inits || ' iterators are made for ' || passes || ' passes'
    ELSE 'fine: making ' || inits || ' iterators takes ' || round(100 * share, 2) || ' % of the time'
  END AS passed,
  CASE
    WHEN inits IS NULL THEN 'needs the starts of the loader; record them with `tracelake record` or LoaderProfiler'
    WHEN inits > 1 AND share IS NULL THEN 'needs the time of the passes; record the batches with `tracelake record` or LoaderProfiler'
  END AS missing
FROM evidence_setup
