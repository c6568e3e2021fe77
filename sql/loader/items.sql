-- Which items of the dataset took longest to read, and which worker read them?
--
-- One row per item, with its slowest access, for the slowest items of each loader. An item is what the dataset returns for one index. For
-- an iterable dataset, each worker numbers its items separately. `relative` compares with the median over all accesses of the loader. The
-- file is known only if the dataset has a list of files and the item was slow enough for an incident.
--
-- empty   no item was recorded; `tracelake.record.LoaderProfiler` or `tracelake record` records the items of a PyTorch DataLoader
--
-- param   limit  bigint in 1.. = 20  number of items per loader
--
-- column  run       text    id      name of the run
-- column  node      text    id      machine
-- column  rank      bigint  id      global rank of the process; null when unknown
-- column  loader    text    name    name of the loader or iterator
-- column  position  bigint  id      position in its group, from 1
-- column  item      bigint  id      index of the item; null where it has none
-- column  worker    bigint  id      worker number; of the slowest access; null in the training process
-- column  pid       bigint  id      operating system process id
-- column  ts        bigint  time    start of the slowest access
-- column  accesses  bigint  count   how often it was read
-- column  dur_max   bigint  ns      longest
-- column  dur_mean  double  ns      mean
-- column  dur_p50   double  ns      median; of all accesses of the loader
-- column  relative  double  factor  `dur_max` over `dur_p50`
-- column  bytes     bigint  bytes   size of the item
-- column  message   text    text    what the incident of a slow item says, such as its file
--
-- needs   loader, incident
-- order   run, node, rank, loader, position
-- source  recorder

WITH accesses AS (
  SELECT *, median(dur) OVER (PARTITION BY run, node, rank, loader) AS dur_p50
  FROM loader
  WHERE kind = 'item' AND dur IS NOT NULL
),

items AS (
  SELECT
    run,
    node,
    rank,
    loader,
    item,
    count(*) AS accesses,
    max(dur) AS dur_max,
    avg(dur) AS dur_mean,
    max(dur_p50) AS dur_p50,
    first_value(worker ORDER BY dur DESC, ts, object, row) AS worker,
    first_value(pid ORDER BY dur DESC, ts, object, row) AS pid,
    first_value(ts ORDER BY dur DESC, ts, object, row) AS ts,
    first_value(bytes ORDER BY dur DESC, ts, object, row) AS bytes,
    CAST(row_number() OVER (PARTITION BY run, node, rank, loader ORDER BY max(dur) DESC, item) AS bigint) AS position
  FROM accesses
  GROUP BY run, node, rank, loader, item
),

reported AS (
  SELECT run, coalesce(node, '') AS node, coalesce(rank, -1) AS rank, item, min(message) AS message
  FROM incident
  WHERE kind = 'slow_item' AND item IS NOT NULL
  GROUP BY run, coalesce(node, ''), coalesce(rank, -1), item
)

SELECT
  i.*,
  i.dur_max / nullif(i.dur_p50, 0) AS relative,
  t.message
FROM items AS i
LEFT JOIN reported AS t
  ON t.run = i.run AND t.node = coalesce(i.node, '') AND t.rank = coalesce(i.rank, -1) AND t.item = i.item
WHERE i.position <= $limit
ORDER BY i.run, i.node, i.rank, i.loader, i.position
