-- Which batches were waited for, or worked on, much longer than others?
--
-- A batch is listed when its part of the step lasted at least `factor` times the median of that part in its loop; one of exactly that length
-- counts. First batches of a pass are left out of both unless `part` says otherwise. `loader.next_outliers` holds calls with a time against the
-- median of their whole run.
--
-- empty   no batch took so much longer than the others of its loop, or `part` is none of load_rest, load, compute, step and interval, or no call for a batch was recorded
--
-- param   factor  double = 2.0        how many times the median of its loop the part must last
-- param   part    text = 'load_rest'  load_rest (waits without the first of each pass), load, compute, step or interval
--
-- column  run       text    id      run the loop belongs to
-- column  node      text    id      machine
-- column  rank      bigint  id      global rank of the process; null when unknown
-- column  pid       bigint  id      operating system process id; null when unknown
-- column  loader    text    name    name of the loader or iterator; null when unknown
-- column  object    bigint  id      file that is a loop of its own; null where calls have times
-- column  variant   text    name    real or ideal, of tools that time a replay; else null
-- column  pass      bigint  id      pass of the loop, from 0
-- column  epoch     bigint  id      epoch as recorded; null when unknown
-- column  place     bigint  id      place of the batch in its loop, from 0
-- column  batch     bigint  id      batch number as recorded; null when unknown
-- column  ts        bigint  time    start of the wait; null when no time was kept
-- column  dur       bigint  ns      duration of the part
-- column  dur_p50   double  ns      median of the loop
-- column  relative  double  factor  `dur` over `dur_p50`
--
-- needs   loader_part
-- order   run, node, rank, pid, loader, object, place
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH compared AS (
  SELECT
    *,
    median(CAST(dur AS double)) OVER (PARTITION BY run, node, rank, pid, loader, object, variant) AS dur_p50
  FROM loader_part
  WHERE part = $part
)

SELECT run, node, rank, pid, loader, object, variant, pass, epoch, place, batch, ts, dur, dur_p50, dur / dur_p50 AS relative
FROM compared
WHERE dur_p50 > 0 AND dur >= $factor * dur_p50
ORDER BY run, node, rank, pid, loader, object, place
