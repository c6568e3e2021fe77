-- When was each batch made, which worker made it, and from how many items?
--
-- One row per batch, from the start of its first item to the end of its collate call. A process runs its items and collate calls one after
-- the other, so the items of a batch are those since the previous collate call. Items after the last collate call belong to a batch that
-- was never finished. They are a row with a null `collate_dur`.
--
-- column  run          text    id     name of the run
-- column  node         text    id     machine
-- column  rank         bigint  id     global rank of the process; null when unknown
-- column  loader       text    name   name of the loader or iterator
-- column  pid          bigint  id     operating system process id
-- column  worker       bigint  id     worker number; null in the training process
-- column  epoch        bigint  id     epoch as recorded; null where the worker does not know it
-- column  batch        bigint  id     batch number as recorded; null where the worker does not know it
-- column  ts           bigint  time   start of its first item
-- column  dur          bigint  ns     until the end of its collate call
-- column  items        bigint  count  items read
-- column  item_dur     bigint  ns     time in items
-- column  collate_dur  bigint  ns     time in collate calls; null if it was never made
--
-- needs   loader
-- order   run, ts, pid
-- source  recorder

WITH work AS (
  SELECT
    *,
    coalesce(sum(CASE kind WHEN 'collate' THEN 1 ELSE 0 END) OVER (
      PARTITION BY run, node, rank, loader, pid
      ORDER BY ts, row
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0) AS part
  FROM loader
  WHERE kind IN ('item', 'collate') AND ts IS NOT NULL AND dur IS NOT NULL
)

SELECT
  run,
  node,
  rank,
  loader,
  pid,
  max(worker) AS worker,
  max(epoch) AS epoch,
  max(batch) AS batch,
  min(ts) AS ts,
  max(ts + dur) - min(ts) AS dur,
  count(*) FILTER (WHERE kind = 'item') AS items,
  sum(dur) FILTER (WHERE kind = 'item') AS item_dur,
  sum(dur) FILTER (WHERE kind = 'collate') AS collate_dur
FROM work
GROUP BY run, node, rank, loader, pid, part
ORDER BY run, ts, pid
