-- How many worker processes of the data loader did each run have for its cores?
--
-- One row per run. If a run has several machines, the row is that of the machine with the number of workers per core farthest from
-- one, among machines with both numbers known. `rules.dataloader` has the numbers of all machines; its rows count the workers alive in each
-- second. Columns are null if no worker's lifetime was recorded.
--
-- column  run          text    id      name of the run
-- column  node         text    id      machine; null when unknown
-- column  seconds      bigint  count   seconds in which a worker lived
-- column  workers_p50  double  count   median of the worker processes in them
-- column  cores        bigint  count   cores of the machine; null when none was sampled
-- column  per_core     double  factor  `workers_p50` over `cores`
--
-- cache   large
-- needs   run, rules_dataloader
-- order   run

WITH distant AS (
  SELECT run, node, datapoints, workers_p50, cores, workers_p50 / nullif(cores, 0) AS per_core, abs(ln(workers_p50 / nullif(cores, 0))) AS distance
  FROM rules_dataloader
),

ranked AS (
  SELECT *, row_number() OVER (PARTITION BY run ORDER BY distance DESC NULLS LAST, datapoints DESC, node) AS place
  FROM distant
)

SELECT r.run, d.node, d.datapoints AS seconds, d.workers_p50, d.cores, d.per_core
FROM run AS r
LEFT JOIN ranked AS d ON d.run = r.run AND d.place = 1
ORDER BY r.run
