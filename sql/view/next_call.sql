-- When did the training process ask its data loader for a batch, and how long did it wait?
--
-- One row per call for the next batch (kind `next` of table `loader`), as the training process waited for it.
--
-- Left out: waits of an ideal replay, which some tools time beside the real one, and calls without a duration.
--
-- column  run     text    id    run the call belongs to
-- column  node    text    id    machine
-- column  rank    bigint  id    global rank of the process; null when unknown
-- column  pid     bigint  id    operating system process id
-- column  loader  text    name  name of the loader or iterator
-- column  worker  bigint  id    worker that made the batch
-- column  epoch   bigint  id    epoch
-- column  batch   bigint  id    batch number
-- column  ts      bigint  time  start of the wait; null when no time was kept
-- column  dur     bigint  ns    length of the wait
-- column  object  bigint  id    file the row came from
-- column  row     bigint  id    ordinal of the row in that file
--
-- needs   loader
-- order   run, ts, object, row
-- source  sagemaker_framework, recorder

SELECT run, node, rank, pid, loader, worker, epoch, batch, ts, dur, object, row
FROM loader
WHERE kind = 'next' AND dur IS NOT NULL AND variant IS DISTINCT FROM 'ideal'
ORDER BY run, ts, object, row
