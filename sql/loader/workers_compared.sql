-- Which worker of the loader is slow, and is the time in its items or in its collate calls?
--
-- One row per worker of a loader, or for the training process if it reads the items itself. `relative` is the worker's median time of an
-- item over the median of these medians for all workers of the loader. A worker with a value of about 1 is like the others.
--
-- empty   no item was recorded; `tracelake.record.LoaderProfiler` or `tracelake record` records the items of a PyTorch DataLoader
--
-- column  run          text    id      name of the run
-- column  node         text    id      machine
-- column  rank         bigint  id      global rank of the process; null when unknown
-- column  loader       text    name    name of the loader or iterator
-- column  worker       bigint  id      worker number; null for the training process
-- column  items        bigint  count   items read
-- column  item_p50     double  ns      median time of an item
-- column  item_max     bigint  ns      its slowest item
-- column  item_dur     bigint  ns      time in items
-- column  collates     bigint  count   collate calls
-- column  collate_p50  double  ns      median time of a collate call
-- column  collate_dur  bigint  ns      time in collate calls
-- column  relative     double  factor  `item_p50` over the median of all workers of the loader
--
-- needs   loader
-- order   run, node, rank, loader, worker
-- source  recorder

WITH workers AS (
  SELECT
    run,
    node,
    rank,
    loader,
    worker,
    count(*) FILTER (WHERE kind = 'item') AS items,
    median(CAST(dur AS double)) FILTER (WHERE kind = 'item') AS item_p50,
    max(dur) FILTER (WHERE kind = 'item') AS item_max,
    sum(dur) FILTER (WHERE kind = 'item') AS item_dur,
    count(*) FILTER (WHERE kind = 'collate') AS collates,
    median(CAST(dur AS double)) FILTER (WHERE kind = 'collate') AS collate_p50,
    sum(dur) FILTER (WHERE kind = 'collate') AS collate_dur
  FROM loader
  WHERE kind IN ('item', 'collate') AND dur IS NOT NULL
  GROUP BY run, node, rank, loader, worker
)

SELECT *, item_p50 / nullif(median(item_p50) OVER (PARTITION BY run, node, rank, loader), 0) AS relative
FROM workers
ORDER BY run, node, rank, loader, worker
