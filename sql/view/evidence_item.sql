-- How long did it take to read one item of the dataset, and what would feed this loop?
--
-- One row per run. `source` says where the time of an item comes from: `items`, recorded one by one; `profile`, calls of `__getitem__` in
-- a Python profile: the function with the most time in one profile (modules of a network have such calls too and are left out), from
-- a dump rather than from a printed report, which rounds. Nulls where nothing is known.
--
-- column  run           text     id     run
-- column  source        text     name   items or profile; null when nothing is known
-- column  items         bigint   count  items or calls
-- column  mean          double   ns     mean time of an item
-- column  slowest       bigint   ns     longest time of an item; null in a profile
-- column  item          bigint   id     that item; null when unknown
-- column  slow_items    bigint   count  incidents of kind slow_item
-- column  num_workers   bigint   count  workers of the loader; null when unknown
-- column  batch_size    bigint   count  items in a batch; null when unknown
-- column  compute       double   ns     mean work on a batch; null when unknown
-- column  batches       bigint   count  batches of which the work is known
-- column  enough        bigint   count  workers that would keep up: batch size times item over compute, rounded up; null when unknown
-- column  share         double   ratio  share of waiting (view `evidence_load`)
-- column  total         bigint   ns     time that it is a share of
-- column  gpu_busy      boolean  flag   whether the GPUs were busy (view `evidence_gpu`); null when unknown
--
-- cache   large
-- needs   run, loader, incident, function, loader_pass, loader_setup, evidence_load
-- order   run

WITH items AS (
  SELECT
    run,
    count(*) AS items,
    avg(dur) AS mean,
    max(dur) AS slowest,
    first_value(item ORDER BY dur DESC, item) AS item
  FROM loader
  WHERE kind = 'item' AND dur IS NOT NULL
  GROUP BY run
),

called AS (
  SELECT
    run,
    calls,
    1e9 * cumulative_s / calls AS mean,
    row_number() OVER (PARTITION BY run ORDER BY printed, cumulative_s DESC, calls) AS place
  FROM (
    SELECT run, object, scope, file, line, report IS NOT NULL AS printed, sum(calls) AS calls, sum(cumulative_s) AS cumulative_s
    FROM function
    WHERE function = '__getitem__' AND calls > 0 AND (file IS NULL OR file NOT LIKE '%torch/nn/%')
    GROUP BY run, object, scope, file, line, report IS NOT NULL
  ) AS f
),

slow AS (
  SELECT run, count(*) AS slow_items
  FROM incident
  WHERE kind = 'slow_item'
  GROUP BY run
),

worked AS (
  SELECT run, CAST(sum(compute) AS double) / nullif(sum(steps), 0) AS compute, sum(steps) AS batches
  FROM loader_pass
  WHERE compute IS NOT NULL AND variant IS DISTINCT FROM 'ideal'
  GROUP BY run
),

setup AS (
  SELECT run, max(num_workers) AS num_workers, max(batch_size) AS batch_size
  FROM loader_setup
  GROUP BY run
),

known AS (
  SELECT
    r.run,
    CASE WHEN i.run IS NOT NULL THEN 'items' WHEN c.run IS NOT NULL THEN 'profile' END AS source,
    coalesce(i.items, c.calls) AS items,
    coalesce(i.mean, c.mean) AS mean,
    i.slowest,
    i.item,
    CASE WHEN i.run IS NOT NULL THEN coalesce(s.slow_items, 0) ELSE s.slow_items END AS slow_items,
    u.num_workers,
    u.batch_size,
    w.compute,
    w.batches
  FROM run AS r
  LEFT JOIN items AS i ON i.run = r.run
  LEFT JOIN called AS c ON c.run = r.run AND c.place = 1
  LEFT JOIN slow AS s ON s.run = r.run
  LEFT JOIN worked AS w ON w.run = r.run
  LEFT JOIN setup AS u ON u.run = r.run
)

SELECT
  k.*,
  TRY_CAST(ceil(k.batch_size * k.mean / nullif(k.compute, 0)) AS bigint) AS enough,
  l.share,
  l.total,
  l.gpu_busy
FROM known AS k
JOIN evidence_load AS l ON l.run = k.run
ORDER BY k.run
