-- Does the loader restart its workers for every pass?
--
-- A process creates at least two iterators, and at least as many as it makes passes over its data. The value is the share of time spent on creating
-- iterators. Above `notice` the finding is a notice, above `warning` a warning (view `evidence_setup`).
--
-- empty   there are no runs
--
-- param   warning  double in 0..1 = 0.05  share of the time above which the finding is a warning
-- param   notice   double in 0..1 = 0.01  share of the time above which the finding is a notice
--
-- cause    workers end with the pass and start again for the next pass
-- remedy   set persistent_workers=True
-- limits   0.01 notice (our own, based on smdebug's analysis of initializations); 0.05 warning (our own)
-- evidence loader.init, loader.init_outliers, loader.epochs
--
-- needs   evidence_setup

SELECT
  run,
  share AS value,
  limit_reached AS threshold,
  CASE
    WHEN inits < 2 OR inits < passes THEN NULL
    WHEN share > $warning THEN 'warning'
    WHEN share > $notice THEN 'notice'
  END AS severity,
  batches AS steps,
  init AS potential_saving,
  total AS saving_base,
  gpu_busy,
  'creating ' || inits || ' iterators for ' || passes || CASE passes WHEN 1 THEN ' pass' ELSE ' passes' END
  || ' takes ' || round(100 * share, 1) || ' % of the time' || coalesce(' on rank ' || rank, '')
  || ' (limit: ' || round(100 * limit_reached, 1) || ' %)' AS found,
  CASE
    WHEN inits < 2 THEN 'only one iterator is created'
    WHEN inits < passes THEN inits || ' iterators are created for ' || passes || ' passes'
    ELSE 'creating ' || inits || ' iterators takes ' || round(100 * share, 2) || ' % of the time'
  END AS passed,
  CASE
    WHEN inits IS NULL
      THEN 'needs the time to create each iterator of the loader; record it with `tracelake record`, LoaderProfiler or Lightning''s SimpleProfiler'
    WHEN inits > 1 AND share IS NULL THEN 'needs the time of the passes; record the batches with `tracelake record` or LoaderProfiler'
  END AS missing
FROM (
  SELECT *, CASE WHEN share > $warning THEN $warning ELSE $notice END AS limit_reached
  FROM evidence_setup
) AS s
