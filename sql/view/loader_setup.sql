-- How was each data loader set up?
--
-- One row per loop (view `loader_batch`). Each setting comes from the first of these sources that has it: the rows of the loop itself; the
-- iterators created for the loop (kind `init`); the iterators of its process without a known loop; the attributes of the run. Such
-- attributes are the tags `num_workers`, `batch_size`, `prefetch_factor` and `persistent_workers`, given at ingest or recorded.
--
-- column  run                 text     id     name of the run
-- column  node                text     id     machine
-- column  rank                bigint   id     global rank of the process; null when unknown
-- column  pid                 bigint   id     operating system process id; null when unknown
-- column  loader              text     name   name of the loader or iterator; null when unknown
-- column  object              bigint   id     file of the row, see table object; null where calls have times
-- column  num_workers         bigint   count  worker processes of the loader; 0 means that the training process loads itself; null when unknown
-- column  batch_size          bigint   count  items in a batch; null when unknown
-- column  prefetch_factor     bigint   count  batches that each worker prepares ahead; null when unknown
-- column  persistent_workers  boolean  flag   whether workers outlive a pass; null when unknown
-- column  pin_memory          boolean  flag   whether batches go to pinned memory; null when unknown
--
-- needs   loader, run_attribute
-- order   run, node, rank, pid, loader, object
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH attributes AS (
  SELECT
    run,
    max(CASE WHEN key = 'num_workers' THEN TRY_CAST(value AS bigint) END) AS num_workers,
    max(CASE WHEN key = 'batch_size' THEN TRY_CAST(value AS bigint) END) AS batch_size,
    max(CASE WHEN key = 'prefetch_factor' THEN TRY_CAST(value AS bigint) END) AS prefetch_factor,
    bool_or(CASE WHEN key = 'persistent_workers' THEN TRY_CAST(value AS boolean) END) AS persistent_workers,
    bool_or(CASE WHEN key = 'pin_memory' THEN TRY_CAST(value AS boolean) END) AS pin_memory
  FROM run_attribute
  WHERE key IN ('num_workers', 'batch_size', 'prefetch_factor', 'persistent_workers', 'pin_memory')
  GROUP BY run
),

used AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    CASE WHEN ts IS NULL THEN object END AS object,
    max(num_workers) AS num_workers,
    max(batch_size) AS batch_size,
    max(prefetch_factor) AS prefetch_factor,
    bool_or(persistent_workers) AS persistent_workers,
    bool_or(pin_memory) AS pin_memory
  FROM loader
  WHERE kind = 'next'
  GROUP BY run, node, rank, pid, loader, CASE WHEN ts IS NULL THEN object END
),

loops AS (
  SELECT DISTINCT run, node, rank, pid, loader
  FROM used
),

-- An iterator that names no loop may belong to any loop of its process.
inits AS (
  SELECT
    i.run,
    i.node,
    i.rank,
    i.pid,
    o.loader,
    max(i.num_workers) AS num_workers,
    max(i.batch_size) AS batch_size,
    max(i.prefetch_factor) AS prefetch_factor,
    bool_or(i.persistent_workers) AS persistent_workers,
    bool_or(i.pin_memory) AS pin_memory
  FROM loader AS i
  LEFT JOIN loops AS o
    ON o.run = i.run
    AND (o.node IS NOT DISTINCT FROM i.node)
    AND (o.rank IS NOT DISTINCT FROM i.rank)
    AND (o.pid IS NOT DISTINCT FROM i.pid)
    AND o.loader = i.loader
  WHERE i.kind = 'init'
  GROUP BY i.run, i.node, i.rank, i.pid, o.loader
)

SELECT
  u.run,
  u.node,
  u.rank,
  u.pid,
  u.loader,
  u.object,
  coalesce(u.num_workers, m.num_workers, p.num_workers, s.num_workers) AS num_workers,
  coalesce(u.batch_size, m.batch_size, p.batch_size, s.batch_size) AS batch_size,
  coalesce(u.prefetch_factor, m.prefetch_factor, p.prefetch_factor, s.prefetch_factor) AS prefetch_factor,
  coalesce(u.persistent_workers, m.persistent_workers, p.persistent_workers, s.persistent_workers) AS persistent_workers,
  coalesce(u.pin_memory, m.pin_memory, p.pin_memory, s.pin_memory) AS pin_memory
FROM used AS u
LEFT JOIN inits AS m
  ON m.run = u.run
  AND (m.node IS NOT DISTINCT FROM u.node)
  AND (m.rank IS NOT DISTINCT FROM u.rank)
  AND (m.pid IS NOT DISTINCT FROM u.pid)
  AND m.loader = u.loader
LEFT JOIN inits AS p
  ON p.run = u.run
  AND (p.node IS NOT DISTINCT FROM u.node)
  AND (p.rank IS NOT DISTINCT FROM u.rank)
  AND (p.pid IS NOT DISTINCT FROM u.pid)
  AND p.loader IS NULL
LEFT JOIN attributes AS s ON s.run = u.run
ORDER BY run, node, rank, pid, loader, object
