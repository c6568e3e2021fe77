-- After which batches did the request for the next batch come much later than usual?
--
-- The query compares the time between the starts of two consecutive calls of one process with the median of its run, over all processes. It
-- is an outlier when it lasted at least `factor` times the median. Breaks between epochs also count as outliers.
--
-- empty   no batch took at least `factor` times the median, or no call for a batch was recorded (`loader.next` shows which)
--
-- param   factor  double = 2.0  minimum duration of an outlier, as a multiple of the median
--
-- column  run       text    id      name of the run
-- column  node      text    id      machine
-- column  rank      bigint  id      global rank of the process; null when unknown
-- column  pid       bigint  id      operating system process id
-- column  ts        bigint  time    start of the earlier call
-- column  dur       bigint  ns      from there to the start of the later call
-- column  worker    bigint  id      worker number; of the later call
-- column  epoch     bigint  id      epoch as recorded
-- column  batch     bigint  id      batch number as recorded; of the later call
-- column  dur_p50   double  ns      median; of the run
-- column  relative  double  factor  `dur` over `dur_p50`
--
-- needs   batch_interval
-- order   run, ts, node, rank, pid
-- source  sagemaker_framework, kineto, nsys, recorder

SELECT run, node, rank, pid, ts, dur, worker, epoch, batch, median(dur) OVER same_run AS dur_p50, dur / median(dur) OVER same_run AS relative
FROM batch_interval
WINDOW same_run AS (PARTITION BY run)
QUALIFY dur_p50 > 0 AND dur >= $factor * dur_p50
ORDER BY run, ts, node, rank, pid
