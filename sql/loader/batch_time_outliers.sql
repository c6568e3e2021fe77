-- After which batches did it take much longer than usual until the next one was asked for?
--
-- The time between the starts of two consecutive calls of one process is an outlier when it lasted at least `factor`
-- times the median of its run, over all processes. One of exactly that length counts. Breaks between epochs are found
-- too.
--
-- empty   no batch took so much longer than usual, or no call for a batch was recorded (`loader.next` tells)
--
-- param   factor    double = 2.0   how many times the median an interval must last
--
-- column  run       text    id      run the calls belong to
-- column  node      text    id      machine
-- column  rank      bigint  id      global rank of the process; null when unknown
-- column  pid       bigint  id      operating system process id
-- column  ts        bigint  time    start of the earlier call
-- column  dur       bigint  ns      from there to the start of the later call
-- column  worker    bigint  id      worker that made the batch of the later call
-- column  epoch     bigint  id      epoch of the later call
-- column  batch     bigint  id      batch number of the later call
-- column  dur_p50   double  ns      median of the run
-- column  relative  double  factor  `dur` over `dur_p50`
--
-- needs   batch_interval
-- order   run, ts, node, rank, pid
-- source  sagemaker_framework, kineto, nsys, recorder

WITH compared AS (
  SELECT run, node, rank, pid, ts, dur, worker, epoch, batch, median(dur) OVER (PARTITION BY run) AS dur_p50
  FROM batch_interval
)

SELECT run, node, rank, pid, ts, dur, worker, epoch, batch, dur_p50, dur / dur_p50 AS relative
FROM compared
WHERE dur_p50 > 0 AND dur >= $factor * dur_p50
ORDER BY run, ts, node, rank, pid
