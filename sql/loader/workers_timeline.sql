-- When did each worker of the loader make each batch, and how long did the batch wait for the training?
--
-- One row per batch that a worker made, see `worker_batch`. `queue_dur` is the time from when the worker finished the batch until the
-- training process received it. It includes the transfer between the processes. Long times in the queue mean that the workers are ahead of
-- the training. With no time in the queue, the training waits for the workers.
--
-- empty   no item was recorded; `tracelake.record.LoaderProfiler` or `tracelake record` records the items of a PyTorch DataLoader
--
-- column  run          text    id     name of the run
-- column  node         text    id     machine
-- column  rank         bigint  id     global rank of the process; null when unknown
-- column  loader       text    name   name of the loader or iterator
-- column  worker       bigint  id     worker number; null in the training process
-- column  pid          bigint  id     operating system process id
-- column  epoch        bigint  id     epoch as recorded; null where the worker does not know it
-- column  batch        bigint  id     batch number as recorded; null where the worker does not know it
-- column  ts           bigint  time   start of its first item
-- column  dur          bigint  ns     until the end of its collate call
-- column  items        bigint  count  items read
-- column  item_dur     bigint  ns     time in items
-- column  collate_dur  bigint  ns     time in collate calls; null if it was never made
-- column  queue_dur    bigint  ns     until the training process had it; null where that is not known
--
-- needs   worker_batch, loader
-- order   run, node, rank, loader, worker, pid, ts
-- source  recorder

WITH received AS (
  SELECT
    run, coalesce(node, '') AS node, coalesce(rank, -1) AS rank, coalesce(loader, '') AS loader, epoch, batch,
    min(ts + dur) AS ts
  FROM loader
  WHERE kind = 'next' AND ts IS NOT NULL AND dur IS NOT NULL AND epoch IS NOT NULL AND batch IS NOT NULL
  GROUP BY run, coalesce(node, ''), coalesce(rank, -1), coalesce(loader, ''), epoch, batch
)

SELECT
  b.*,
  CASE
    WHEN b.worker IS NOT NULL AND b.collate_dur IS NOT NULL AND r.ts IS NOT NULL THEN greatest(r.ts - b.ts - b.dur, 0)
  END AS queue_dur
FROM worker_batch AS b
LEFT JOIN received AS r
  ON
    r.run = b.run
    AND r.node = coalesce(b.node, '')
    AND r.rank = coalesce(b.rank, -1)
    AND r.loader = coalesce(b.loader, '')
    AND r.epoch = b.epoch
    AND r.batch = b.batch
ORDER BY b.run, b.node, b.rank, b.loader, b.worker, b.pid, b.ts
