-- How long did each part of each training step take?
--
-- One row per batch and known part (view `loader_batch`): `load` is the wait; `load_rest` is the wait unless the batch is the first of its
-- pass; `compute` is the work on the batch; `step` is wait and work; `interval` is the time that a clock at the top of the loop shows.
--
-- column  run       text    id    name of the run
-- column  node      text    id    machine
-- column  rank      bigint  id    global rank of the process; null when unknown
-- column  pid       bigint  id    operating system process id; null when unknown
-- column  loader    text    name  name of the loader or iterator; null when unknown
-- column  object    bigint  id    file of the row, see table object; null where calls have times
-- column  variant   text    name  real or ideal, of tools that time a replay; else null
-- column  part      text    name  load, load_rest, compute, step or interval
-- column  pass      bigint  id    pass of the loop, from 0
-- column  epoch     bigint  id    epoch as recorded; null when unknown
-- column  position  bigint  id    position in its group, from 0
-- column  batch     bigint  id    batch number as recorded; null when unknown
-- column  ts        bigint  time  start of the wait; null when no time was recorded
-- column  dur       bigint  ns    duration of the part
--
-- needs   loader_batch
-- order   run, node, rank, pid, loader, object, part, position
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH divided AS (
  SELECT
    *,
    unnest(['load', 'load_rest', 'compute', 'step', 'interval']) AS part,
    unnest([load, CASE WHEN NOT is_first THEN load END, compute, step_dur, spacing]) AS dur
  FROM loader_batch
)

SELECT run, node, rank, pid, loader, object, variant, part, pass, epoch, position, batch, ts, dur
FROM divided
WHERE dur IS NOT NULL
ORDER BY run, node, rank, pid, loader, object, part, position
