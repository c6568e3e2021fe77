-- How long did it take to read one item of the dataset, and how many workers would this loop need?
--
-- One row per run. `source` is the origin of the time of an item. With `items`, items were recorded one by one. With `profile`, the time
-- comes from calls of `__getitem__` in a Python profile: the function with the most time in one profile. Modules of a network also have
-- such calls and are excluded. Dumps have priority over printed reports, which round their numbers. Columns are null if the time is
-- unknown.
--
-- column  run           text     id     name of the run
-- column  source        text     name   items or profile; null when nothing is known
-- column  items         bigint   count  items or calls
-- column  item_mean     double   ns     mean time of an item
-- column  slowest       bigint   ns     longest time of an item; null in a profile
-- column  item          bigint   id     index of the item; null when unknown
-- column  slow_items    bigint   count  incidents of kind slow_item
-- column  num_workers   bigint   count  worker processes of the loader; null when unknown
-- column  batch_size    bigint   count  items in a batch; null when unknown
-- column  compute_mean  double   ns     mean work on a batch; null when unknown
-- column  batches       bigint   count  batches with a known work time
-- column  enough        bigint   count  workers that would keep up: batch size times item over compute, rounded up; null when unknown
-- column  share         double   ratio  share of waiting (view `evidence_load`)
-- column  total         bigint   ns     time that the ratios of the row are a share of
-- column  gpu_busy      boolean  flag   whether the GPU was busy (view `evidence_gpu`); null when unknown
--
-- cache   large
-- needs   loader, incident, function, loader_pass, loader_setup, evidence_load
-- order   run

WITH items AS (
  SELECT
    run,
    count(*) AS items,
    avg(dur) AS item_mean,
    max(dur) AS slowest,
    first_value(item ORDER BY dur DESC, item) AS item
  FROM loader
  WHERE kind = 'item' AND dur IS NOT NULL
  GROUP BY run
),

called AS (
  SELECT run, sum(calls) AS items, 1e9 * sum(cumulative_s) / sum(calls) AS item_mean
  FROM function
  WHERE function = '__getitem__' AND calls > 0 AND (file IS NULL OR file NOT LIKE '%torch/nn/%')
  GROUP BY run, object, scope, file, line, report IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY report IS NOT NULL, sum(cumulative_s) DESC, sum(calls)) = 1
),

slow AS (
  SELECT run, count(*) AS slow_items
  FROM incident
  WHERE kind = 'slow_item'
  GROUP BY run
),

worked AS (
  SELECT run, CAST(sum(compute) AS double) / nullif(sum(steps), 0) AS compute_mean, sum(steps) AS batches
  FROM loader_pass
  WHERE compute IS NOT NULL AND variant IS DISTINCT FROM 'ideal'
  GROUP BY run
),

setup AS (
  SELECT run, max(num_workers) AS num_workers, max(batch_size) AS batch_size
  FROM loader_setup
  GROUP BY run
)

SELECT
  l.run,
  CASE WHEN i.run IS NOT NULL THEN 'items' WHEN c.run IS NOT NULL THEN 'profile' END AS source,
  coalesce(i.items, c.items) AS items,
  coalesce(i.item_mean, c.item_mean) AS item_mean,
  i.slowest,
  i.item,
  CASE WHEN i.run IS NOT NULL THEN coalesce(s.slow_items, 0) ELSE s.slow_items END AS slow_items,
  u.num_workers,
  u.batch_size,
  w.compute_mean,
  w.batches,
  TRY_CAST(ceil(u.batch_size * coalesce(i.item_mean, c.item_mean) / nullif(w.compute_mean, 0)) AS bigint) AS enough,
  l.share,
  l.total,
  l.gpu_busy
FROM evidence_load AS l
LEFT JOIN items AS i ON i.run = l.run
LEFT JOIN called AS c ON c.run = l.run
LEFT JOIN slow AS s ON s.run = l.run
LEFT JOIN worked AS w ON w.run = l.run
LEFT JOIN setup AS u ON u.run = l.run
ORDER BY l.run
