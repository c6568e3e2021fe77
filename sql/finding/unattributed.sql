-- Is the GPU idle without a recorded cause?
--
-- The GPU is not busy, and no recorded data shows one of these causes: waiting for data, communication, copies, small kernels or late launches. The
-- sentence names the data that was not recorded. The limits are those from which the other findings report these activities. For waiting this is the
-- low limit `waiting` (0.05 by default): above it, `load_share_high` is a notice and waiting is one cause. `gpu_starved_by_loader` has a higher limit
-- (0.2 by default), because it reports waiting as the main cause. With a share between these two limits, both findings pass.
--
-- empty   there are no runs
--
-- param   busy           double in 0..1 = 0.8   GPU utilization from which the GPU counts as busy
-- param   waiting        double in 0..1 = 0.05  share of waiting for data above which it is a cause
-- param   communication  double in 0..1 = 0.1   share of communication above which it is a cause
-- param   copies         double in 0..1 = 0.1   share of copies from which they are a cause
-- param   short          bigint = 25000         mean kernel duration in ns up to which kernels are small
-- param   launches       double in 0..1 = 0.5   share of idle time before the next launch above which late launches are a cause
--
-- cause    unknown
-- remedy   record a trace with host and device together; look for calls that wait for the device
-- limits   0.8 busy (PyTorch's tutorial); 0.05 waiting (TensorBoard plugin, XProf); 0.1 communication (TensorBoard plugin); 0.1 copies (gpu-idle, traceml); 25000 ns (25 us) short (gpu-idle, for an A100); 0.5 launches (our own)
-- evidence utilization.summary, step.breakdown, kernel.idle_breakdown
--
-- needs   evidence_load, evidence_gpu, evidence_role, evidence_kernel

SELECT
  run,
  gpu_utilization AS value,
  $busy AS threshold,
  CASE WHEN gpu_utilization < $busy AND why IS NULL THEN 'notice' END AS severity,
  readings AS steps,
  TRY_CAST((1 - gpu_utilization) * total AS bigint) AS potential_saving,
  total AS saving_base,
  false AS gpu_busy,
  'GPU utilization is ' || round(100 * gpu_utilization, 1) || ' %, and nothing that was recorded explains it'
  || coalesce('; there are no ' || nullif(concat_ws(', no ', no_load, no_trace), ''), '') AS found,
  CASE
    WHEN gpu_utilization >= $busy THEN 'GPU utilization is ' || round(100 * gpu_utilization, 1) || ' %'
    ELSE 'GPU utilization is ' || round(100 * gpu_utilization, 1) || ' %; one cause is ' || why
  END AS passed,
  CASE
    WHEN gpu_utilization IS NULL
      THEN 'needs samples of the GPU; record them with `tracelake record`, or take a trace with its kernels'
  END AS missing
FROM (
  SELECT
    l.run,
    l.gpu_utilization,
    g.readings,
    g.total,
    CASE
      WHEN l.share > $waiting THEN 'waiting for data'
      WHEN e.communication_most > $communication THEN 'communication'
      WHEN e.memcpy_most >= $copies THEN 'copying'
      WHEN k.host_wait > $launches THEN 'late kernel launches'
      WHEN k.kernel_mean <= $short THEN 'small kernels'
    END AS why,
    CASE WHEN l.share IS NULL THEN 'timings of the loader' END AS no_load,
    CASE WHEN e.has_device IS NOT true THEN 'kernels of a trace' END AS no_trace
  FROM evidence_load AS l
  JOIN evidence_gpu AS g ON g.run = l.run
  JOIN evidence_role AS e ON e.run = l.run
  JOIN evidence_kernel AS k ON k.run = l.run
) AS u
