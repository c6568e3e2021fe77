-- Which data loader settings did the search try, and how fast was each?
--
-- One row per setting that `tracelake.record.optimize` tried, and one for the replay from memory (`variant` ideal). The replay shows the
-- speed if loading data took no time. A trial is one pass with a setting. `dur` of a trial is the time per batch over a whole epoch,
-- including start-up. The rate is that of the median trial; its range is from the slowest to the fastest trial. The range of n trials
-- contains the true median in 1 - 2^(1-n) of all cases: in 94 % for 5 trials.
--
-- The search compares settings by trials of the same round. Of settings that are equally fast, it takes the one that needs fewer resources.
-- The chosen setting is therefore not always the fastest here. Trials of one process count together, even if it searched several times.
--
-- empty   no search was recorded; `tracelake.record.optimize(loader, step, path="runs/search")` records one
--
-- column  run                 text     id     name of the run
-- column  node                text     id     machine
-- column  rank                bigint   id     global rank of the process; null when unknown
-- column  pid                 bigint   id     operating system process id
-- column  loader              text     name   name of the loader or iterator; `replay` of the replay
-- column  variant             text     name   real or ideal, of tools that time a replay
-- column  num_workers         bigint   count  worker processes of the loader
-- column  batch_size          bigint   count  items in a batch; null when unknown
-- column  prefetch_factor     bigint   count  batches that each worker prepares ahead; null for the default
-- column  persistent_workers  boolean  flag   whether workers outlive a pass
-- column  pin_memory          boolean  flag   whether batches go to pinned memory
-- column  trials              bigint   count  trials that gave a time
-- column  batches_per_s       double   per_s  batches over the time of the loop; in the median trial; null if all failed
-- column  samples_per_s       double   per_s  `batches_per_s` times `batch_size`; null where a batch does not show how many it has
-- column  low_per_s           double   per_s  the slowest trial, in samples where these are known, else in batches
-- column  high_per_s          double   per_s  the fastest trial, likewise
-- column  dur_p50             double   ns     median; of the trials
-- column  bytes               bigint   bytes  most resident memory at the end of a trial, of the process and its workers; null when unknown
-- column  limit_bytes         bigint   bytes  memory above which a setting was not taken; null for none
-- column  is_baseline         boolean  flag   whether it is the baseline that others are compared with
-- column  chosen              boolean  flag   whether the search found it best; the baseline if nothing was surely faster
-- column  failed              text     text   why it was given up; null if it was not
--
-- needs   loader, run_attribute
-- order   run, node, rank, pid, variant desc, num_workers, batch_size, loader
-- source  recorder

WITH tried AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    variant,
    max(num_workers) AS num_workers,
    max(batch_size) AS batch_size,
    max(prefetch_factor) AS prefetch_factor,
    bool_or(persistent_workers) AS persistent_workers,
    bool_or(pin_memory) AS pin_memory,
    count(dur) AS trials,
    median(CAST(dur AS double)) AS dur_p50,
    min(dur) AS dur_min,
    max(dur) AS dur_max,
    max(bytes) AS bytes
  FROM loader
  WHERE kind = 'trial'
  GROUP BY run, node, rank, pid, loader, variant
),

judged AS (
  SELECT
    run,
    node,
    rank,
    value AS loader,
    bool_or(key = 'optimize.baseline') AS is_baseline,
    bool_or(key = 'optimize.best') AS chosen
  FROM run_attribute
  WHERE key IN ('optimize.baseline', 'optimize.best')
  GROUP BY run, node, rank, value
),

given_up AS (
  SELECT run, node, rank, key, min(value) AS failed
  FROM run_attribute
  WHERE key LIKE 'loader.%.failed'
  GROUP BY run, node, rank, key
),

allowed AS (
  SELECT run, node, rank, max(TRY_CAST(value AS bigint)) AS limit_bytes
  FROM run_attribute
  WHERE key = 'optimize.memory_limit'
  GROUP BY run, node, rank
)

SELECT
  t.* EXCLUDE (dur_min, dur_max),
  1e9 / nullif(t.dur_p50, 0) AS batches_per_s,
  1e9 * t.batch_size / nullif(t.dur_p50, 0) AS samples_per_s,
  1e9 * coalesce(t.batch_size, 1) / nullif(t.dur_max, 0) AS low_per_s,
  1e9 * coalesce(t.batch_size, 1) / nullif(t.dur_min, 0) AS high_per_s,
  a.limit_bytes,
  coalesce(j.is_baseline, false) AS is_baseline,
  coalesce(j.chosen, false) AS chosen,
  g.failed
FROM tried AS t
LEFT JOIN judged AS j
  ON j.run = t.run
  AND (j.node IS NOT DISTINCT FROM t.node)
  AND (j.rank IS NOT DISTINCT FROM t.rank)
  AND j.loader = t.loader
LEFT JOIN given_up AS g
  ON g.run = t.run
  AND (g.node IS NOT DISTINCT FROM t.node)
  AND (g.rank IS NOT DISTINCT FROM t.rank)
  AND g.key = 'loader.' || t.loader || '.failed'
LEFT JOIN allowed AS a
  ON a.run = t.run
  AND (a.node IS NOT DISTINCT FROM t.node)
  AND (a.rank IS NOT DISTINCT FROM t.rank)
ORDER BY t.run, t.node, t.rank, t.pid, t.variant DESC, t.num_workers, t.batch_size, t.loader
