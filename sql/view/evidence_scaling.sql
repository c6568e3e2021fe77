-- Did more workers help in a run that has loops with different numbers of workers?
--
-- One row per run. Rates are batches per second, without the first batch of each pass if that is known. Columns are null unless at least
-- two numbers of workers were measured in the run. The view does not compare runs of different jobs.
--
-- column  run          text     id     name of the run
-- column  settings     bigint   count  numbers of workers that were measured
-- column  workers_max  bigint   count  maximum number of workers
-- column  most_per_s   double   per_s  its rate
-- column  half         bigint   count  the largest number of at most half as many
-- column  half_per_s   double   per_s  its rate
-- column  best         bigint   count  the number with the highest rate
-- column  best_per_s   double   per_s  that rate
-- column  batches      bigint   count  batches of the setting with the fewest
-- column  share        double   ratio  share of waiting (view `evidence_load`)
-- column  total        bigint   ns     time that the ratios of the row are a share of
-- column  gpu_busy     boolean  flag   whether the GPU was busy (view `evidence_gpu`); null when unknown
--
-- cache   large
-- needs   loader_rate, evidence_load
-- order   run

WITH rates AS (
  SELECT run, num_workers, max(coalesce(rest_batches_per_s, batches_per_s)) AS rate, sum(batches) AS batches
  FROM loader_rate
  WHERE num_workers IS NOT NULL
  GROUP BY run, num_workers
),

bounds AS (
  SELECT
    run,
    count(*) AS settings,
    max(num_workers) AS workers_max,
    min(batches) AS batches,
    first_value(num_workers ORDER BY rate DESC, num_workers) AS best,
    max(rate) AS best_per_s
  FROM rates
  GROUP BY run
),

halves AS (
  SELECT b.run, max(r.num_workers) AS half
  FROM bounds AS b
  JOIN rates AS r ON r.run = b.run
  WHERE 2 * r.num_workers <= b.workers_max
  GROUP BY b.run
)

SELECT
  l.run,
  b.* EXCLUDE (run),
  m.rate AS most_per_s,
  h.half,
  x.rate AS half_per_s,
  l.share,
  l.total,
  l.gpu_busy
FROM evidence_load AS l
LEFT JOIN bounds AS b ON b.run = l.run AND b.settings > 1
LEFT JOIN halves AS h ON h.run = l.run
LEFT JOIN rates AS m ON m.run = l.run AND m.num_workers = b.workers_max
LEFT JOIN rates AS x ON x.run = l.run AND x.num_workers = h.half
ORDER BY l.run
