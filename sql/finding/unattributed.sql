-- Does the GPU idle, and nothing that was recorded says why?
--
-- The GPU is not busy, and neither waiting for data nor communication, copies, small kernels nor late launches explain it, as far as they are
-- known; what is not known is named. The limits are those of these findings.
--
-- empty   there are no runs
--
-- param   busy           double = 0.8    utilization from which the GPU is busy
-- param   waiting        double = 0.05   share of waiting for data
-- param   communication  double = 0.1    share of communication
-- param   copies         double = 0.1    share of copies
-- param   short          bigint = 25000  ns up to which the mean kernel is small
-- param   launches       double = 0.5    share of the idle time in which the next kernel is not launched
--
-- cause    unknown
-- remedy   a trace with host and device together; a look for calls that wait for the device
-- limits   0.8 PyTorch's tutorial, the others those of the findings
-- evidence utilization.summary, step.breakdown, kernel.idle_breakdown
--
-- needs   evidence_load, evidence_gpu, evidence_role, evidence_kernel

SELECT
  run,
  busy AS value,
  $busy AS threshold,
  CASE WHEN busy < $busy AND why IS NULL THEN 'notice' END AS severity,
  readings AS steps,
  TRY_CAST((1 - busy) * total AS bigint) AS potential_saving,
  false AS gpu_busy,
  'the GPU is busy for ' || round(100 * busy, 1) || ' % only, and nothing that was recorded says why'
  || coalesce('; there are no ' || nullif(concat_ws(', no ', no_load, no_trace), ''), '') AS found,
  CASE
    WHEN busy >= $busy THEN 'fine: the GPU is busy for ' || round(100 * busy, 1) || ' %'
    ELSE 'the GPU is busy for ' || round(100 * busy, 1) || ' %, which ' || why || ' explains'
  END AS passed,
  CASE
    WHEN busy IS NULL
      THEN 'needs samples of the GPU; record them with `tracelake record`, or take a trace with its kernels'
  END AS missing
FROM (
  SELECT
    l.run,
    l.busy,
    g.readings,
    g.total,
    CASE
      WHEN l.share > $waiting THEN 'waiting for data'
      WHEN e.communication_most > $communication THEN 'communication'
      WHEN e.memcpy_most >= $copies THEN 'copying'
      WHEN k.host_wait > $launches THEN 'the launching of kernels'
      WHEN k.kernel_mean <= $short THEN 'the size of the kernels'
    END AS why,
    CASE WHEN l.share IS NULL THEN 'timings of the loader' END AS no_load,
    CASE WHEN e.device IS NOT true THEN 'kernels of a trace' END AS no_trace
  FROM evidence_load AS l
  JOIN evidence_gpu AS g ON g.run = l.run
  JOIN evidence_role AS e ON e.run = l.run
  JOIN evidence_kernel AS k ON k.run = l.run
) AS u
