-- When did each worker of the loader make each batch, and how long did the batch wait for the training?
--
-- One row per batch as its worker made it, see `worker_batch`. `queue_dur` goes from the end of the making until the training
-- process had the batch in hand: long waits in the queue say that the workers are ahead, none that the training waits for them.
-- It holds the way between the processes.
--
-- empty   no item was recorded: `tracelake.record.LoaderProfiler` or `tracelake record` does that for a DataLoader of PyTorch
--
-- column  run          text    id     run the batch belongs to
-- column  node         text    id     machine
-- column  rank         bigint  id     global rank of the process that it was made for; null when unknown
-- column  loader       text    name   name of the loader
-- column  worker       bigint  id     worker number; null in the training process
-- column  pid          bigint  id     process that made it
-- column  epoch        bigint  id     epoch; null where the worker does not know it
-- column  batch        bigint  id     batch number; null where the worker does not know it
-- column  ts           bigint  time   start of its first item
-- column  dur          bigint  ns     until the end of its collate call
-- column  items        bigint  count  items read
-- column  item_dur     bigint  ns     time in items
-- column  collate_dur  bigint  ns     time in the collate call; null if it was never made
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
  b.run,
  b.node,
  b.rank,
  b.loader,
  b.worker,
  b.pid,
  b.epoch,
  b.batch,
  b.ts,
  b.dur,
  b.items,
  b.item_dur,
  b.collate_dur,
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
