-- What share of each run was waiting for data, by the best measure that its profiles allow?
--
-- One row per run. `measure` is the origin of the share. In order of priority: `exclusive` is waits that no other work hid, in the steps of
-- a trace (`step.loader_share`). `rest` is without the first batch of each pass, and `all` includes it (both `loader.share`). `report` is
-- the share of the training epochs in a report of Lightning's SimpleProfiler. If a run has several ranks and loops, the row is that of the
-- one that waited most. Columns are null if nothing is known.
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
-- column  gpu_busy         boolean  flag   whether `gpu_utilization` lies above 0.8; null when unknown
--
-- cache   large
-- needs   run, object, loader, loader_share, loader_setup, step_loader_share, evidence_gpu
-- order   run

WITH traced AS (
  SELECT DISTINCT l.run, l.node, l.rank
  FROM loader AS l
  JOIN object AS o ON o.run = l.run AND o.object = l.object
  WHERE l.kind = 'next' AND o.format IN ('kineto', 'nsys')
),

measures AS (
  SELECT
    s.run,
    s.rank,
    'exclusive' AS measure,
    1 AS trust,
    s.exposed_loader_ratio AS share,
    CAST(NULL AS double) AS share_all,
    s.steps,
    s.exposed_loader AS load,
    s.dur AS total
  FROM step_loader_share AS s
  JOIN traced AS t ON t.run = s.run AND (t.node IS NOT DISTINCT FROM s.node) AND (t.rank IS NOT DISTINCT FROM s.rank)
  WHERE s.exposed_loader_ratio IS NOT NULL
  UNION ALL
  SELECT
    run,
    rank,
    CASE WHEN measure = 'report' THEN 'report' WHEN loader_ratio_rest IS NOT NULL THEN 'rest' ELSE 'all' END AS measure,
    CASE WHEN measure = 'report' THEN 4 WHEN loader_ratio_rest IS NOT NULL THEN 2 ELSE 3 END AS trust,
    coalesce(loader_ratio_rest, loader_ratio) AS share,
    loader_ratio AS share_all,
    batches AS steps,
    load,
    total
  FROM loader_share
  WHERE loader_ratio IS NOT NULL
),

ranked AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY run ORDER BY trust, share DESC, rank, total DESC, load DESC, steps DESC) AS place,
    count(*) OVER (PARTITION BY run, trust) AS loops
  FROM measures
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
  k.* EXCLUDE (run, trust, place),
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
