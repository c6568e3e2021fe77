-- Which workers of the data loader lived much longer than usual?
--
-- A worker is an outlier when its life lasted at least `factor` times the median of its run, over all processes. One of
-- exactly that length counts. The workers of a training loader live longer than those of a short evaluation, and then
-- they are the outliers: compare lives of the same loader.
--
-- empty   no worker lived so much longer than usual, or none was recorded (`loader.workers` tells)
--
-- param   factor    double = 2.0   how many times the median a life must last
--
-- column  run       text    id      run the worker belongs to
-- column  node      text    id      machine
-- column  rank      bigint  id      global rank of the process it worked for; null when unknown
-- column  pid       bigint  id      operating system process id
-- column  worker    bigint  id      worker number
-- column  ts        bigint  time    start of its life; null when no time was kept
-- column  dur       bigint  ns      length of its life
-- column  dur_p50   double  ns      median of the run
-- column  relative  double  factor  `dur` over `dur_p50`
--
-- needs   loader
-- order   run, ts, node, rank, worker, pid, dur
-- source  sagemaker_framework, recorder

WITH compared AS (
  SELECT run, node, rank, pid, worker, ts, dur, median(dur) OVER (PARTITION BY run) AS dur_p50
  FROM loader
  WHERE kind = 'worker' AND dur IS NOT NULL
)

SELECT run, node, rank, pid, worker, ts, dur, dur_p50, dur / dur_p50 AS relative
FROM compared
WHERE dur_p50 > 0 AND dur >= $factor * dur_p50
ORDER BY run, ts, node, rank, worker, pid, dur
