-- How long did it take to set up the data loader, and how was it configured?
--
-- One row per process rank, iterator and configuration. Unless its workers persist, a loader is set up again for every pass over the data,
-- and this time recurs in every epoch.
--
-- Excluded: initializations without a duration.
--
-- empty   no initialization of a data loader was recorded; SageMaker's data loader profiling and `tracelake record` record it
--
-- column  run                 text     id     name of the run
-- column  node                text     id     machine
-- column  rank                bigint   id     global rank of the process; null when unknown
-- column  loader              text     name   name of the loader or iterator
-- column  num_workers         bigint   count  worker processes of the loader
-- column  prefetch_factor     bigint   count  batches that each worker prepares ahead
-- column  persistent_workers  boolean  flag   whether workers outlive a pass
-- column  pin_memory          boolean  flag   whether batches go to pinned memory
-- column  n                   bigint   count  initializations
-- column  dur_mean            double   ns     mean
-- column  dur_min             bigint   ns     shortest
-- column  dur_p50             double   ns     median
-- column  dur_max             bigint   ns     longest
--
-- needs   loader
-- order   run, node, rank, loader, num_workers, prefetch_factor, persistent_workers, pin_memory
-- source  sagemaker_framework, kineto, recorder

SELECT
  run,
  node,
  rank,
  loader,
  num_workers,
  prefetch_factor,
  persistent_workers,
  pin_memory,
  count(*) AS n,
  avg(dur) AS dur_mean,
  min(dur) AS dur_min,
  median(dur) AS dur_p50,
  max(dur) AS dur_max
FROM loader
WHERE kind = 'init' AND dur IS NOT NULL
GROUP BY run, node, rank, loader, num_workers, prefetch_factor, persistent_workers, pin_memory
ORDER BY run, node, rank, loader, num_workers, prefetch_factor, persistent_workers, pin_memory
