-- For which batches did the training process wait much longer than usual?
--
-- A wait is an outlier when it lasted at least `factor` times the median of its run, over all processes.
--
-- Excluded: waits of an ideal replay.
--
-- empty   no wait lasted at least `factor` times the median, or no call for a batch was recorded (`loader.next` shows which)
--
-- param   factor  double = 2.0           minimum duration of an outlier, as a multiple of the median
-- param   start   bigint in time = null  only waits that begin at this time or later, in ns, like `ts`; null for all
-- param   end     bigint in time = null  only waits that begin before this time, in ns, like `ts`; null for all
--
-- column  run       text    id      name of the run
-- column  node      text    id      machine
-- column  rank      bigint  id      global rank of the process; null when unknown
-- column  pid       bigint  id      operating system process id
-- column  worker    bigint  id      worker number
-- column  epoch     bigint  id      epoch as recorded
-- column  batch     bigint  id      batch number as recorded
-- column  ts        bigint  time    start of the wait; null when no time was recorded
-- column  dur       bigint  ns      length of the wait
-- column  dur_p50   double  ns      median; of the run
-- column  relative  double  factor  `dur` over `dur_p50`
--
-- needs   next_call
-- order   run, ts, node, rank, pid, epoch, batch, dur
-- source  sagemaker_framework, kineto, nsys, recorder, dali_loader_evaluator, loader_timings

SELECT run, node, rank, pid, worker, epoch, batch, ts, dur, median(dur) OVER same_run AS dur_p50, dur / median(dur) OVER same_run AS relative
FROM next_call
WINDOW same_run AS (PARTITION BY run)
QUALIFY
  dur_p50 > 0
  AND dur >= $factor * dur_p50
  AND (ts >= $start OR $start IS NULL)
  AND (ts < $end OR $end IS NULL)
ORDER BY run, ts, node, rank, pid, epoch, batch, dur
