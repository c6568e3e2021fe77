-- Is the GPU neither idle nor busy?
--
-- PyTorch's tutorial calls utilization below `low` a problem and above `target` the goal, and says nothing of what lies between, the
-- limits included. Here it is said as a number, and as no verdict. Utilization is that of view `evidence_gpu`.
--
-- empty   there are no runs
--
-- param   low     double = 0.5  utilization below which a GPU idles
-- param   target  double = 0.8  utilization above which it is busy
--
-- cause    not known from utilization alone
-- remedy   see what the other findings say of loading, copies and kernels
-- limits   0.5 and 0.8 PyTorch's tutorial
-- evidence utilization.summary, kernel.occupancy
--
-- needs   evidence_gpu

SELECT
  run,
  busy AS value,
  $target AS threshold,
  CASE WHEN busy BETWEEN $low AND $target THEN 'notice' END AS severity,
  readings AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'the GPU is busy for ' || round(100 * busy, 1) || ' % of the time: neither low nor at the goal of '
  || round(100 * $target, 1) || ' %' AS found,
  CASE
    WHEN busy > $target THEN 'fine: the GPU is busy for ' || round(100 * busy, 1) || ' % of the time'
    ELSE 'the GPU is busy for ' || round(100 * busy, 1) || ' % of the time: that is low, and not between'
  END AS passed,
  CASE
    WHEN busy IS NULL THEN 'needs samples of the GPU; record them with `tracelake record`, or take a trace with its kernels'
  END AS missing
FROM evidence_gpu
