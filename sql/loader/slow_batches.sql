-- For which batches was the wait, or the work, much longer than for others?
--
-- The query lists a batch when its part of the step lasted at least `factor` times the median of that part in its loop. By default (`part`
-- is load_rest), first batches of a pass are excluded from both the list and the median. `loader.next_outliers` compares calls with the
-- median of their whole run instead.
--
-- empty   no batch took at least `factor` times the median of its loop, or `part` is not load_rest, load, compute, step or interval, or no call for a batch was recorded
--
-- param   factor  double = 2.0                                                minimum duration of a listed part, as a multiple of the median of its loop
-- param   part    text in load_rest|load|compute|step|interval = 'load_rest'  load_rest (waits without the first of each pass), load, compute, step or interval
--
-- column  run       text    id      name of the run
-- column  node      text    id      machine
-- column  rank      bigint  id      global rank of the process; null when unknown
-- column  pid       bigint  id      operating system process id; null when unknown
-- column  loader    text    name    name of the loader or iterator; null when unknown
-- column  object    bigint  id      file of the row, see table object; null where calls have times
-- column  variant   text    name    real or ideal, of tools that time a replay; else null
-- column  pass      bigint  id      pass of the loop, from 0
-- column  epoch     bigint  id      epoch as recorded; null when unknown
-- column  position  bigint  id      position in its group, from 0
-- column  batch     bigint  id      batch number as recorded; null when unknown
-- column  ts        bigint  time    start of the wait; null when no time was recorded
-- column  dur       bigint  ns      duration of the part
-- column  dur_p50   double  ns      median; of the loop
-- column  relative  double  factor  `dur` over `dur_p50`
--
-- needs   loader_part
-- order   run, node, rank, pid, loader, object, position
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH compared AS (
  SELECT *, median(CAST(dur AS double)) OVER (PARTITION BY run, node, rank, pid, loader, object, variant) AS dur_p50
  FROM loader_part
  WHERE part = $part
)

SELECT run, node, rank, pid, loader, object, variant, pass, epoch, position, batch, ts, dur, dur_p50, dur / dur_p50 AS relative
FROM compared
WHERE dur_p50 > 0 AND dur >= $factor * dur_p50
ORDER BY run, node, rank, pid, loader, object, position
