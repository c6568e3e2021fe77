-- What share of each run was waiting for data, by the best measure that its profiles allow?
--
-- One row per run, from view `evidence_rank_load`, which defines the measures. If a run has several ranks and loops, the row is that of the one that
-- waited most. Columns are null if nothing is known.
--
-- column  run              text     id     name of the run
-- column  measure          text     name   exclusive, rest, all or report; null when nothing is known
-- column  rank             bigint   id     global rank of the process; null when unknown
-- column  share            double   ratio  share of waiting
-- column  share_all        double   ratio  the same of all batches, of `rest`; else null
-- column  steps            bigint   count  steps or batches that it is of
-- column  load             bigint   ns     time waited for batches
-- column  total            bigint   ns     time that the ratios of the row are a share of
-- column  loops            bigint   count  ranks and loops with a known share
-- column  why              text     text   why the result is null; else null
-- column  num_workers      bigint   count  worker processes of the loader; null when unknown
-- column  gpu_utilization  double   ratio  mean share of time in which the GPU was busy; null when unknown
-- column  gpu_busy         boolean  flag   whether the GPU was busy (view `evidence_gpu`); null when unknown
--
-- cache   large
-- needs   run, evidence_rank_load, loader_share, loader_setup, evidence_gpu
-- order   run

WITH ranked AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY run ORDER BY share DESC, rank, total DESC, load DESC, steps DESC) AS place,
    count(*) OVER (PARTITION BY run) AS loops
  FROM evidence_rank_load
),

refused AS (
  SELECT run, min(why) AS why
  FROM loader_share
  GROUP BY run
),

setup AS (
  SELECT run, max(num_workers) AS num_workers
  FROM loader_setup
  GROUP BY run
)

SELECT
  r.run,
  k.* EXCLUDE (run, node, place),
  CASE WHEN k.run IS NULL THEN w.why END AS why,
  s.num_workers,
  g.gpu_utilization,
  g.gpu_busy
FROM run AS r
LEFT JOIN ranked AS k ON k.run = r.run AND k.place = 1
LEFT JOIN refused AS w ON w.run = r.run
LEFT JOIN setup AS s ON s.run = r.run
LEFT JOIN evidence_gpu AS g ON g.run = r.run
ORDER BY r.run
