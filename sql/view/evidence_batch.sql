-- How even were the waits for batches in each run?
--
-- One row per run; of several loops it is the worst of each. The first batch of each pass is held against the others and left out of
-- all else. Replays of kept batches do not count. Nulls where no batch has a time of its own.
--
-- 50 us (tf.data's) and twice the median (smdebug's) tell single waits, of which a run keeps a share: they are no parameters of the findings.
-- `loader.jitter` answers for another factor.
--
-- column  run            text    id      run
-- column  batches        bigint  count   batches with a wait of their own, first ones of a pass included
-- column  rest           bigint  count   those that are not the first of a pass
-- column  first          double  factor  greatest wait for a first batch over the median of the others
-- column  load_first     bigint  ns      that wait
-- column  load_p50       double  ns      median wait of the loop with the greatest `unsteadiness`
-- column  unsteadiness   double  factor  95th percentile of the waits over their median
-- column  outliers       bigint  count   waits of at least twice the median
-- column  outlier_ratio  double  ratio   greatest share of such waits of a loop
-- column  outlier_load   bigint  ns      time in the longest wait of each loop
-- column  ready          double  ratio   share of waits of at most 50 us
-- column  gpu_busy       boolean flag    whether the GPUs were busy (view `evidence_gpu`); null when unknown
--
-- cache   large
-- needs   run, loader_batch, loader_first_batch, loader_jitter, evidence_gpu
-- order   run

WITH firsts AS (
  SELECT
    run,
    max(relative) AS first,
    max(load_first) AS load_first
  FROM loader_first_batch
  WHERE variant IS DISTINCT FROM 'ideal'
  GROUP BY run
),

spread AS (
  SELECT
    run,
    unsteadiness,
    dur_p50,
    max(outlier_ratio) OVER (PARTITION BY run) AS outlier_ratio,
    sum(outliers) OVER (PARTITION BY run) AS outliers,
    sum(n) OVER (PARTITION BY run) AS rest,
    sum(dur_max) OVER (PARTITION BY run) AS outlier_load,
    row_number() OVER (PARTITION BY run ORDER BY unsteadiness DESC NULLS LAST) AS place
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
  s.rest,
  f.first,
  f.load_first,
  s.dur_p50 AS load_p50,
  s.unsteadiness,
  s.outliers,
  s.outlier_ratio,
  CASE WHEN s.outliers > 0 THEN s.outlier_load END AS outlier_load,
  w.ready,
  g.gpu_busy
FROM run AS r
LEFT JOIN waited AS w ON w.run = r.run
LEFT JOIN spread AS s ON s.run = r.run AND s.place = 1
LEFT JOIN firsts AS f ON f.run = r.run
LEFT JOIN evidence_gpu AS g ON g.run = r.run
ORDER BY r.run
