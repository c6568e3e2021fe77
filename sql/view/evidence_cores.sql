-- How many worker processes of the data loader were there for the cores of each run?
--
-- One row per run: the machine whose workers are farthest from one per core, of those of which both are known (`rules.dataloader`, whose rows
-- count the workers alive in each second). Nulls where no worker's life was recorded.
--
-- column  run      text    id      run
-- column  node     text    id      machine; null when unknown
-- column  seconds  bigint  count   seconds in which a worker lived
-- column  workers  double  count   median of the worker processes in them
-- column  cores    bigint  count   cores of the machine; null when none was sampled
-- column  per_core double  factor  `workers` over `cores`
--
-- cache   large
-- needs   run, rules_dataloader
-- order   run

WITH distant AS (
  SELECT run, node, datapoints, workers, cores, workers / nullif(cores, 0) AS per_core, abs(ln(workers / nullif(cores, 0))) AS distance
  FROM rules_dataloader
),

ranked AS (
  SELECT *, row_number() OVER (PARTITION BY run ORDER BY distance DESC NULLS LAST, datapoints DESC, node) AS place
  FROM distant
)

SELECT r.run, d.node, d.datapoints AS seconds, d.workers, d.cores, d.per_core
FROM run AS r
LEFT JOIN ranked AS d ON d.run = r.run AND d.place = 1
ORDER BY r.run
