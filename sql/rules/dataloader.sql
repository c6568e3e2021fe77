-- Were there too few or too many data loader workers for the cores?
--
-- smdebug's rule Dataloader, over the whole run. One row per machine. The rule counts the worker processes in each second in which a worker
-- lived (view `worker_second`). It is triggered when the median of these counts is below `min_threshold` or above `max_threshold` percent
-- of the cores, over more than `patience` seconds. Violations are the seconds with a count beyond one of these limits.
--
-- `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's package), docs (AWS's
-- guide of 2023) or reported (the run's own report, or history where it has no limit). For this rule, docs has no limits and uses those of
-- rulesconfig.
--
-- smdebug counts the processes of the events that start in a second, including the training processes. A worker therefore counts only in
-- the first second of its life. smdebug evaluates each window separately, and its data loading time mixes the lifetimes of workers with
-- waits.
--
-- empty   no worker of a data loader was recorded (SageMaker's data loader profiling records workers), or `defaults` is not history, rulesconfig, docs or reported
--
-- param   defaults       text in history|rulesconfig|docs|reported = 'history'  source of the default limits (see above)
-- param   min_threshold  double in 0.. = null                                   percent of the cores below which there are too few workers; null for the published limit
-- param   max_threshold  double in 0.. = null                                   percent of the cores above which there are too many workers; null for the published limit
-- param   patience       bigint in 0.. = null                                   the rule needs more seconds than this; null for the published limit
--
-- column  run              text     id     name of the run
-- column  node             text     id     machine
-- column  triggered        boolean  flag   whether the rule is triggered; null where no core was sampled
-- column  violations       bigint   count  seconds with too few or too many workers; null where no core was sampled
-- column  datapoints       bigint   count  seconds in which a worker lived
-- column  workers_p50      double   count  median of the worker processes in them
-- column  workers_max      bigint   count  maximum number of workers
-- column  cores            bigint   count  cores of the machine; null when none was sampled
-- column  num_workers      bigint   count  worker processes of the loader; maximum over the loaders
-- column  pin_memory       boolean  flag   whether batches go to pinned memory
-- column  prefetch_factor  bigint   count  batches that each worker prepares ahead
-- column  wait_p25         double   ns     lower quartile of the waits for a batch
-- column  wait_p50         double   ns     median
-- column  wait_p95         double   ns     95th percentile
-- column  parameters       text     json   limits that were used
--
-- needs   rule_limit, loader, next_call, worker_second
-- order   run, node
-- source  sagemaker_framework, sagemaker_system, recorder

WITH limits AS (
  SELECT
    run,
    coalesce($min_threshold, min_threshold, 70.0) AS min_threshold,
    coalesce($max_threshold, max_threshold, 200.0) AS max_threshold,
    coalesce($patience, patience, 10) AS patience
  FROM rule_limit('Dataloader', $defaults)
),

counted AS (
  SELECT
    w.run,
    w.node,
    w.cores,
    l.min_threshold,
    l.max_threshold,
    l.patience,
    count(*) AS datapoints,
    median(CAST(w.alive AS double)) AS workers_p50,
    max(w.alive) AS workers_max,
    count(*) FILTER (WHERE 100 * w.relative < l.min_threshold OR 100 * w.relative > l.max_threshold) AS violations
  FROM worker_second AS w
  JOIN limits AS l ON l.run = w.run
  WHERE w.alive > 0
  GROUP BY w.run, w.node, w.cores, l.min_threshold, l.max_threshold, l.patience
),

setups AS (
  SELECT
    run,
    node,
    max(num_workers) AS num_workers,
    bool_or(pin_memory) AS pin_memory,
    max(prefetch_factor) AS prefetch_factor
  FROM loader
  GROUP BY run, node
),

waited AS (
  SELECT
    run,
    node,
    percentile_cont(0.25) WITHIN GROUP (ORDER BY dur) AS wait_p25,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY dur) AS wait_p50,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY dur) AS wait_p95
  FROM next_call
  GROUP BY run, node
)

SELECT
  c.run,
  c.node,
  (100 * c.workers_p50 < c.min_threshold * c.cores OR 100 * c.workers_p50 > c.max_threshold * c.cores)
  AND c.datapoints > c.patience AS triggered,
  CASE WHEN c.cores IS NOT NULL THEN c.violations END AS violations,
  c.datapoints,
  c.workers_p50,
  c.workers_max,
  c.cores,
  m.num_workers,
  m.pin_memory,
  m.prefetch_factor,
  w.wait_p25,
  w.wait_p50,
  w.wait_p95,
  '{"min_threshold":' || c.min_threshold || ',"max_threshold":' || c.max_threshold || ',"patience":' || c.patience
  || '}' AS parameters
FROM counted AS c
LEFT JOIN setups AS m ON m.run = c.run AND (m.node IS NOT DISTINCT FROM c.node)
LEFT JOIN waited AS w ON w.run = c.run AND (w.node IS NOT DISTINCT FROM c.node)
ORDER BY run, node
