-- How long did each part of each training step take?
--
-- One row per batch and part of it that is known (view `loader_batch`): `load`, the wait; `load_rest`, the wait unless the batch is the first of
-- its pass; `compute`, the work on it; `step`, both; `interval`, what a clock at the top of the loop sees.
--
-- column  run      text    id    run the loop belongs to
-- column  node     text    id    machine
-- column  rank     bigint  id    global rank of the process; null when unknown
-- column  pid      bigint  id    operating system process id; null when unknown
-- column  loader   text    name  name of the loader or iterator; null when unknown
-- column  object   bigint  id    file that is a loop of its own; null where calls have times
-- column  variant  text    name  real or ideal, of tools that time a replay; else null
-- column  part     text    name  load, load_rest, compute, step or interval
-- column  pass     bigint  id    pass of the loop, from 0
-- column  epoch    bigint  id    epoch as recorded; null when unknown
-- column  place    bigint  id    place of the batch in its loop, from 0
-- column  batch    bigint  id    batch number as recorded; null when unknown
-- column  ts       bigint  time  start of the wait; null when no time was kept
-- column  dur      bigint  ns    duration of the part
--
-- needs   loader_batch
-- order   run, node, rank, pid, loader, object, part, place
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH divided AS (
  SELECT
    b.run,
    b.node,
    b.rank,
    b.pid,
    b.loader,
    b.object,
    b.variant,
    p.part,
    b.pass,
    b.epoch,
    b.place,
    b.batch,
    b.ts,
    CASE p.part
      WHEN 'load' THEN b.load
      WHEN 'load_rest' THEN CASE WHEN NOT b.first THEN b.load END
      WHEN 'compute' THEN b.compute
      WHEN 'step' THEN b.step
      WHEN 'interval' THEN b.spacing
    END AS dur
  FROM loader_batch AS b
  CROSS JOIN (VALUES ('load'), ('load_rest'), ('compute'), ('step'), ('interval')) AS p (part)
)

SELECT run, node, rank, pid, loader, object, variant, part, pass, epoch, place, batch, ts, dur
FROM divided
WHERE dur IS NOT NULL
ORDER BY run, node, rank, pid, loader, object, part, place
