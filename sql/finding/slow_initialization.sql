-- Does it take long until training starts?
--
-- The value is the time from the first sample of the machine to the first step, in minutes. If no steps were recorded, it is the time to the first
-- request for a batch (view `evidence_start`). This is smdebug's rule MaxInitializationTime, for runs with a known start of the job.
--
-- empty   there are no runs
--
-- param   minutes  double = 20  minutes until the start of training above which the finding is a warning
--
-- cause    data download or preparation, imports, or compilation before the first step
-- remedy   prepare data in advance, stream it, cache compiled kernels
-- limits   20 minutes (smdebug's rule MaxInitializationTime)
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
  'training starts ' || format_amount(dur, 'ns') || ' after the first sample of the machine (limit: ' || format_amount($minutes * 6e10, 'ns') || ')' AS found,
  'training starts ' || format_amount(dur, 'ns') || ' after the first sample of the machine' AS passed,
  CASE
    WHEN started IS NULL AND trained IS NULL
      THEN 'needs samples of the machine from the start of the job, and steps or batch requests; start the program with `tracelake record`'
    WHEN started IS NULL THEN 'needs the start of the job, which samples of the machine show; start the program with `tracelake record`'
    WHEN trained IS NULL THEN 'needs steps or batch requests with their times; record them with `tracelake record`'
    WHEN dur IS NULL
      THEN 'needs samples from the start of the job, but the first sample is later than the first step; start the program with `tracelake record`'
  END AS missing
FROM evidence_start
