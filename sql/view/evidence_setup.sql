-- How were the data loaders of each run set up, and how often?
--
-- One row per run. Columns are null if nothing is known. Creating an iterator starts the workers. `share` divides the time of creating
-- iterators by the time of the passes over the data plus this time. In a report of Lightning's SimpleProfiler, it compares the action
-- `setup_train_dataloader` with the training epochs in the same way. If a run has several processes, the row is that of the one with the
-- largest share.
--
-- column  run                 text     id     name of the run
-- column  loaders             bigint   count  loaders with a known setting of pinned memory; null for none
-- column  unpinned            bigint   count  those of them that do not pin memory
-- column  rank                bigint   id     global rank of the process; null when unknown
-- column  inits               bigint   count  iterators that it made; null when not recorded
-- column  passes              bigint   count  its passes over the data; null when unknown
-- column  init                bigint   ns     time of making them
-- column  total               bigint   ns     time that the ratios of the row are a share of; null when unknown
-- column  share               double   ratio  the one over the other
-- column  batches             bigint   count  batches of the passes
-- column  persistent_workers  boolean  flag   whether workers outlive a pass; in any loader; null when unknown
-- column  gpu_utilization     double   ratio  mean share of time in which the GPU was busy; null when unknown
-- column  gpu_busy            boolean  flag   whether the GPU was busy (view `evidence_gpu`); null when unknown
--
-- cache   large
-- needs   run, loader, loader_setup, loader_pass, action_latest, evidence_gpu
-- order   run

WITH pinned AS (
  SELECT
    run,
    count(pin_memory) AS loaders,
    count(*) FILTER (WHERE NOT pin_memory) AS unpinned,
    bool_or(persistent_workers) AS persistent_workers
  FROM loader_setup
  GROUP BY run
),

inits_of_process AS (
  SELECT run, node, rank, pid, count(*) AS inits, sum(dur) AS init
  FROM loader
  WHERE kind = 'init' AND dur >= 0
  GROUP BY run, node, rank, pid
),

passed AS (
  SELECT run, node, rank, pid, count(*) AS passes, sum(total) AS total, sum(batches) AS batches
  FROM loader_pass
  WHERE variant IS DISTINCT FROM 'ideal'
  GROUP BY run, node, rank, pid
),

reported AS (
  SELECT
    run,
    node,
    rank,
    max(CASE WHEN hook = 'setup_train_dataloader' THEN calls END) AS inits,
    max(CASE WHEN hook = 'run_training_epoch' THEN calls END) AS passes,
    max(CASE WHEN hook = 'setup_train_dataloader' THEN total_s END) AS init_s,
    max(CASE WHEN hook = 'run_training_epoch' THEN total_s END) AS total_s,
    max(CASE WHEN hook = 'train_dataloader_next' THEN calls END) AS batches
  FROM action_latest
  WHERE profiler = 'simple'
  GROUP BY run, node, rank, object, report
),

setups AS (
  SELECT m.run, m.node, m.rank, m.inits, p.passes, m.init, m.init + p.total AS total, p.batches
  FROM inits_of_process AS m
  LEFT JOIN passed AS p
    ON
      p.run = m.run
      AND (p.node IS NOT DISTINCT FROM m.node)
      AND (p.rank IS NOT DISTINCT FROM m.rank)
      AND (p.pid IS NOT DISTINCT FROM m.pid)
  UNION ALL
  SELECT
    run,
    node,
    rank,
    inits,
    passes,
    TRY_CAST(round(1e9 * init_s) AS bigint) AS init,
    TRY_CAST(round(1e9 * (init_s + total_s)) AS bigint) AS total,
    batches
  FROM reported
  WHERE init_s IS NOT NULL
),

chosen AS (
  SELECT *, CAST(init AS double) / nullif(total, 0) AS share
  FROM setups
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY share DESC NULLS LAST, inits DESC, init DESC, node, rank) = 1
)

SELECT
  r.run,
  nullif(p.loaders, 0) AS loaders,
  CASE WHEN p.loaders > 0 THEN p.unpinned END AS unpinned,
  k.* EXCLUDE (run, node),
  p.persistent_workers,
  g.gpu_utilization,
  g.gpu_busy
FROM run AS r
LEFT JOIN pinned AS p ON p.run = r.run
LEFT JOIN chosen AS k ON k.run = r.run
LEFT JOIN evidence_gpu AS g ON g.run = r.run
ORDER BY r.run
