-- Does the GPU work most of the time?
--
-- Utilization is that of view `evidence_gpu`. Above `target` loading is not what limits the training, whatever its share: this finding is
-- good news, and a notice.
--
-- empty   there are no runs
--
-- param   target  double = 0.8  utilization above which the GPU is busy
--
-- cause    none: the GPU works most of the time
-- remedy   leave the loader alone; what is left is in the model and its kernels
-- limits   0.8 PyTorch's tutorial
-- evidence utilization.summary, kernel.occupancy
--
-- needs   evidence_gpu

SELECT
  run,
  busy AS value,
  $target AS threshold,
  CASE WHEN busy > $target THEN 'notice' END AS severity,
  readings AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'balanced: the GPU is busy for ' || round(100 * busy, 1) || ' % of the time' AS found,
  'the GPU is busy for ' || round(100 * busy, 1) || ' % of the time, which is not above ' || round(100 * $target, 1) || ' %' AS passed,
  CASE
    WHEN busy IS NULL THEN 'needs samples of the GPU; record them with `tracelake record`, or take a trace with its kernels'
  END AS missing
FROM evidence_gpu
