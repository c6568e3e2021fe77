-- How fast did each loop run, and with which settings of its loader?
--
-- One row per loop (view `loader_batch`). `rest_batches_per_s` excludes the first batch of each pass.
--
-- Excluded: replays, and loops without a time to compare their batches with.
--
-- column  run                 text     id      name of the run
-- column  node                text     id      machine
-- column  rank                bigint   id      global rank of the process; null when unknown
-- column  pid                 bigint   id      operating system process id; null when unknown
-- column  loader              text     name    name of the loader or iterator; null when unknown
-- column  object              bigint   id      file of the row, see table object; null where calls have times
-- column  num_workers         bigint   count   worker processes of the loader; null when unknown
-- column  batch_size          bigint   count   items in a batch; null when unknown
-- column  prefetch_factor     bigint   count   batches that each worker prepares ahead; null when unknown
-- column  persistent_workers  boolean  flag    whether workers outlive a pass; null when unknown
-- column  pin_memory          boolean  flag    whether batches go to pinned memory; null when unknown
-- column  batches             bigint   count   batches; those with a time
-- column  batches_per_s       double   per_s   batches over the time of the loop
-- column  rest_batches_per_s  double   per_s   the same without the first batch of each pass
--
-- needs   loader_pass, loader_setup
-- order   run, node, rank, pid, loader, object
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder

WITH summed AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    sum(steps) AS batches,
    1e9 * sum(steps) / nullif(sum(total), 0) AS batches_per_s,
    1e9 * sum(steps_rest) / nullif(sum(total_rest), 0) AS rest_batches_per_s
  FROM loader_pass
  WHERE variant IS DISTINCT FROM 'ideal'
  GROUP BY run, node, rank, pid, loader, object
)

SELECT p.*, s.* EXCLUDE (run, node, rank, pid, loader, object)
FROM summed AS p
LEFT JOIN loader_setup AS s
  ON s.run = p.run
  AND (s.node IS NOT DISTINCT FROM p.node)
  AND (s.rank IS NOT DISTINCT FROM p.rank)
  AND (s.pid IS NOT DISTINCT FROM p.pid)
  AND (s.loader IS NOT DISTINCT FROM p.loader)
  AND (s.object IS NOT DISTINCT FROM p.object)
WHERE p.batches_per_s IS NOT NULL
ORDER BY run, node, rank, pid, loader, object
