-- Which data loader workers lived much longer than usual?
--
-- A worker is an outlier when it lived for at least `factor` times the median of its run, over all processes. The workers of a training
-- loader live longer than those of a short evaluation and are then the outliers. Compare only workers of the same loader.
--
-- empty   no worker lived for at least `factor` times the median, or none was recorded (`loader.workers` shows which)
--
-- param   factor  double = 2.0  minimum lifetime of an outlier, as a multiple of the median
--
-- column  run       text    id      name of the run
-- column  node      text    id      machine
-- column  rank      bigint  id      global rank of the process; null when unknown
-- column  pid       bigint  id      operating system process id
-- column  worker    bigint  id      worker number
-- column  ts        bigint  time    start of its life; null when no time was recorded
-- column  dur       bigint  ns      length of its life
-- column  dur_p50   double  ns      median; of the run
-- column  relative  double  factor  `dur` over `dur_p50`
--
-- needs   loader
-- order   run, ts, node, rank, worker, pid, dur
-- source  sagemaker_framework, recorder

SELECT run, node, rank, pid, worker, ts, dur, median(dur) OVER same_run AS dur_p50, dur / median(dur) OVER same_run AS relative
FROM loader
WHERE kind = 'worker' AND dur IS NOT NULL
WINDOW same_run AS (PARTITION BY run)
QUALIFY dur_p50 > 0 AND dur >= $factor * dur_p50
ORDER BY run, ts, node, rank, worker, pid, dur
