-- Does it take long until the training starts?
--
-- From the first sample of the machine to the first step, or to the first call for a batch where no steps were recorded (view
-- `evidence_start`), more than `minutes`. smdebug's rule MaxInitializationTime, where it is known when the job started.
--
-- empty   there are no runs
--
-- param   minutes  double = 20  minutes that the start may take
--
-- cause    data that is downloaded or prepared, imports, compilation before the first step
-- remedy   prepare data beforehand, stream it, keep compiled kernels
-- limits   20 minutes, smdebug's rule MaxInitializationTime
-- evidence rules.max_initialization_time, job.overview, job.phases
--
-- needs   evidence_start

SELECT
  run,
  dur / 6e10 AS value,
  $minutes AS threshold,
  CASE WHEN dur / 6e10 > $minutes THEN 'warning' END AS severity,
  CAST(NULL AS bigint) AS steps,
  dur AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'training starts ' || round(dur / 6e10, 1) || ' min after the first sample of the machine' AS found,
  'fine: training starts '
  || CASE WHEN dur < 60000000000 THEN round(dur / 1e9, 1) || ' s' ELSE round(dur / 6e10, 1) || ' min' END
  || ' after the first sample of the machine' AS passed,
  CASE
    WHEN started IS NULL AND trained IS NULL
      THEN 'needs samples of the machine from the start of the job, and steps; record both with `tracelake record`'
    WHEN started IS NULL THEN 'needs the start of the job; samples of the machine show it: start the program with `tracelake record`'
    WHEN trained IS NULL THEN 'needs steps or calls for batches with their times; record them with `tracelake record`'
    WHEN dur IS NULL THEN 'needs samples from the start of the job, and the first one is later than the first step; start the program with `tracelake record`'
  END AS missing
FROM evidence_start
