-- When did the training process request a batch from its data loader, and how long did it wait?
--
-- One row per call for the next batch (kind `next` of table `loader`), as the training process waited for it.
--
-- Excluded: waits of an ideal replay, which some tools time next to the real one; calls without a duration.
--
-- column  run     text    id    name of the run
-- column  node    text    id    machine
-- column  rank    bigint  id    global rank of the process; null when unknown
-- column  pid     bigint  id    operating system process id
-- column  loader  text    name  name of the loader or iterator
-- column  worker  bigint  id    worker number
-- column  epoch   bigint  id    epoch as recorded
-- column  batch   bigint  id    batch number as recorded
-- column  ts      bigint  time  start of the wait; null when no time was recorded
-- column  dur     bigint  ns    length of the wait
-- column  object  bigint  id    file of the row, see table object
-- column  row     bigint  id    ordinal of the row in its file
--
-- needs   loader
-- order   run, ts, object, row
-- source  sagemaker_framework, recorder

SELECT run, node, rank, pid, loader, worker, epoch, batch, ts, dur, object, row
FROM loader
WHERE kind = 'next' AND dur IS NOT NULL AND variant IS DISTINCT FROM 'ideal'
ORDER BY run, ts, object, row
