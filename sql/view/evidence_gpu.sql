-- How busy were the GPUs of each run while it trained?
--
-- One row per run. If utilization was sampled, the view uses these samples (view `evidence_gpu_samples`). Otherwise it uses the share of the
-- steps of a trace in which a kernel ran (view `evidence_rank_time`). Columns are null if the run has neither.
--
-- A GPU that waits in a collective for another rank is not busy, so `gpu_busy` is about computing if kernels were recorded. Its limit comes
-- from PyTorch's tutorial. It is the same for all findings, like the number of steps that a verdict needs, and is not a parameter of a
-- finding.
--
-- column  run              text     id     name of the run
-- column  source           text     name   samples or kernels; null when nothing is known
-- column  gpu_utilization  double   ratio  mean share of time in which the GPU was busy
-- column  kernel_ratio     double   ratio  share in which a kernel computed; null unless `source` is kernels
-- column  busy_p5          double   ratio  5th percentile over the samples; null unless they are samples
-- column  busy_p95         double   ratio  95th percentile over the samples
-- column  readings         bigint   count  samples, or steps of the trace; null for recordings without step marks
-- column  total            bigint   ns     time that the ratios of the row are a share of; null when unknown
-- column  gpu_busy         boolean  flag   whether `kernel_ratio`, else `gpu_utilization`, is above 0.8; then what a loader does is a notice at most; null when unknown
--
-- cache   large
-- needs   run, evidence_gpu_samples, evidence_rank_time, unread_device
-- order   run

WITH computed AS (
  SELECT
    e.run,
    avg((e.kernel + e.communication) / nullif(e.dur, 0)) AS gpu_utilization,
    avg(e.kernel / nullif(e.dur, 0)) AS kernel_ratio,
    max(e.steps) AS steps,
    TRY_CAST(round(avg(e.dur)) AS bigint) AS total
  FROM evidence_rank_time AS e
  LEFT JOIN unread_device AS u ON u.run = e.run
  WHERE e.has_device AND u.run IS NULL
  GROUP BY e.run
)

SELECT
  r.run,
  CASE WHEN s.gpu_utilization IS NOT NULL THEN 'samples' WHEN k.gpu_utilization IS NOT NULL THEN 'kernels' END AS source,
  coalesce(s.gpu_utilization, k.gpu_utilization) AS gpu_utilization,
  CASE WHEN s.gpu_utilization IS NULL THEN k.kernel_ratio END AS kernel_ratio,
  s.busy_p5,
  s.busy_p95,
  CASE WHEN s.gpu_utilization IS NOT NULL THEN s.readings ELSE k.steps END AS readings,
  coalesce(s.total, k.total) AS total,
  coalesce(s.gpu_utilization, k.kernel_ratio) > 0.8 AS gpu_busy
FROM run AS r
LEFT JOIN evidence_gpu_samples AS s ON s.run = r.run
LEFT JOIN computed AS k ON k.run = r.run
ORDER BY r.run
