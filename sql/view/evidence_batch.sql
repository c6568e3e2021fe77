-- How even were the waits for batches in each run?
--
-- One row per run. If a run has several loops, `first_relative`, `load_first`, `unsteadiness` and `outlier_ratio` are each the maximum over
-- the loops. `rest`, `outliers`, `outlier_rank` and `outlier_load` are those of the loop with the largest `outlier_ratio`; `batches` is the
-- sum over the loops. The first batch of each pass is compared with the others; of the other columns, only `batches` and `ready` include
-- it. Replays of cached batches do not count. Columns are null if no batch has its own time.
--
-- The limits 50 us (from tf.data) and twice the median (from smdebug) classify single waits, and this view has only their share per run.
-- They are therefore not parameters of the findings. `loader.jitter` accepts another factor.
--
-- column  run             text     id      name of the run
-- column  batches         bigint   count   batches with a wait of their own, first ones of a pass included
-- column  rest            bigint   count   those of the loop that are not the first of a pass
-- column  first_relative  double   factor  the first one over the median of the others; wait for the first batch, maximum
-- column  load_first      bigint   ns      wait for the first batch
-- column  load_p50        double   ns      median wait; of the loop with the maximum `unsteadiness`
-- column  unsteadiness    double   factor  `dur_p95` over `dur_p50`
-- column  outliers        bigint   count   waits of at least twice the median
-- column  outlier_ratio   double   ratio   `outliers` over `n`; maximum over the loops
-- column  outlier_rank    bigint   id      global rank of that loop if the run has several loops; null when unknown
-- column  outlier_load    bigint   ns      time in the longest wait
-- column  ready           double   ratio   share of waits of at most 50 us
-- column  gpu_busy        boolean  flag    whether the GPU was busy (view `evidence_gpu`); null when unknown
--
-- cache   large
-- needs   run, loader_batch, loader_first_batch, loader_jitter, evidence_gpu
-- order   run

WITH firsts AS (
  SELECT
    run,
    max(relative) AS first_relative,
    max(load_first) AS load_first
  FROM loader_first_batch
  WHERE variant IS DISTINCT FROM 'ideal'
  GROUP BY run
),

spread AS (
  SELECT
    *,
    CASE WHEN count(*) OVER (PARTITION BY run) > 1 THEN rank END AS outlier_rank,
    row_number() OVER (PARTITION BY run ORDER BY unsteadiness DESC NULLS LAST, rank, dur_p50 DESC) AS place_unsteady,
    row_number() OVER (PARTITION BY run ORDER BY outlier_ratio DESC NULLS LAST, rank, n DESC, dur_max DESC) AS place_outliers
  FROM loader_jitter
  WHERE part = 'load_rest' AND variant IS DISTINCT FROM 'ideal'
),

waited AS (
  SELECT
    run,
    count(*) AS batches,
    CAST(count(*) FILTER (WHERE load <= 50000) AS double) / count(*) AS ready
  FROM loader_batch
  WHERE load IS NOT NULL AND variant IS DISTINCT FROM 'ideal'
  GROUP BY run
)

SELECT
  r.run,
  w.batches,
  o.n AS rest,
  f.first_relative,
  f.load_first,
  s.dur_p50 AS load_p50,
  s.unsteadiness,
  o.outliers,
  o.outlier_ratio,
  o.outlier_rank,
  CASE WHEN o.outliers > 0 THEN o.dur_max END AS outlier_load,
  w.ready,
  g.gpu_busy
FROM run AS r
LEFT JOIN waited AS w ON w.run = r.run
LEFT JOIN spread AS s ON s.run = r.run AND s.place_unsteady = 1
LEFT JOIN spread AS o ON o.run = r.run AND o.place_outliers = 1
LEFT JOIN firsts AS f ON f.run = r.run
LEFT JOIN evidence_gpu AS g ON g.run = r.run
ORDER BY r.run
