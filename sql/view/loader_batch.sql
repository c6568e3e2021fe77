-- How long did a training loop wait for each batch, and how long did it work on it?
--
-- One row per call for the next batch (kind `next` of table `loader`). A loop is what one process did with one loader. Calls without a
-- time are in the order of their file, and each file of them is a loop of its own; calls with a time are ordered by it. A loop begins a
-- new pass over its data where the epoch changes, where a recording begins, and where the process made another iterator
-- (kind `init`), for this loop or for one that is not known.
--
-- `step` is wait and work together, from one call to the next. Where the profiler kept no work, it is told by the times of the calls,
-- and not known of the last call of a pass. `spacing` is what a clock at the top of the loop sees: from batch to batch, with the work
-- on the batch before.
--
-- Left out: calls without a duration or with a negative one; one of them may still have been the first of its pass.
--
-- column  run       text     id     run the loop belongs to
-- column  node      text     id     machine
-- column  rank      bigint   id     global rank of the process; null when unknown
-- column  pid       bigint   id     operating system process id; null when unknown
-- column  loader    text     name   name of the loader or iterator; null when unknown
-- column  object    bigint   id     file that is a loop of its own; null where calls have times
-- column  variant   text     name   real or ideal, of tools that time a replay; else null
-- column  pass      bigint   id     pass of the loop over its data, from 0
-- column  epoch     bigint   id     epoch as recorded; null when unknown
-- column  place     bigint   id     place of the call in its loop, from 0
-- column  batch     bigint   id     batch number as recorded; null when unknown
-- column  first     boolean  flag   whether it is the first of its pass
-- column  ts        bigint   time   start of the wait; null when no time was kept
-- column  load      bigint   ns     length of the wait
-- column  compute   bigint   ns     time of the work on the batch, `step` without the wait; null when unknown
-- column  step      bigint   ns     from the call to the next; of work that was kept, `load` and `compute`; null when unknown
-- column  kept      boolean  flag   whether the profiler kept `compute` itself
-- column  spacing   bigint   ns     from the batch before to this one; of the first of a pass the wait alone
--
-- needs   loader, object
-- order   run, node, rank, pid, loader, object, place
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder

WITH loops AS (
  SELECT DISTINCT run, node, rank, pid, loader
  FROM loader
  WHERE kind = 'next' AND loader IS NOT NULL
),

called AS (
  SELECT
    l.run,
    l.node,
    l.rank,
    l.pid,
    CASE WHEN l.kind = 'next' THEN l.loader ELSE p.loader END AS loader,
    CASE WHEN l.ts IS NULL THEN l.object END AS own_file,
    o.recording,
    l.kind,
    l.variant,
    l.epoch,
    l.batch,
    l.ts,
    l.dur,
    l.compute_dur,
    l.object,
    l.row
  FROM loader AS l
  JOIN object AS o ON o.run = l.run AND o.object = l.object
  LEFT JOIN loops AS p
    ON p.run = l.run
    AND (p.node IS NOT DISTINCT FROM l.node)
    AND (p.rank IS NOT DISTINCT FROM l.rank)
    AND (p.pid IS NOT DISTINCT FROM l.pid)
    AND p.loader = l.loader
    AND l.kind = 'init'
  WHERE l.kind = 'next' OR (l.kind = 'init' AND l.ts IS NOT NULL)
),

-- Iterators made before a call: for its loop, and those of its process of which nobody says for which loop.
-- No place in the order comes twice, and frames of rows take less time.
made AS (
  SELECT
    *,
    count(CASE WHEN kind = 'init' AND loader IS NULL THEN 1 END) OVER (
      PARTITION BY run, node, rank, pid, own_file, recording
      ORDER BY ts, object, row
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) + count(CASE WHEN kind = 'init' AND loader IS NOT NULL THEN 1 END) OVER (
      PARTITION BY run, node, rank, pid, loader, own_file, recording
      ORDER BY ts, object, row
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS iterators
  FROM called
),

compared AS (
  SELECT
    *,
    row_number() OVER w = 1
    OR (epoch IS DISTINCT FROM lag(epoch) OVER w)
    OR (iterators IS DISTINCT FROM lag(iterators) OVER w) AS first,
    lead(ts) OVER w AS next_ts,
    (epoch IS NOT DISTINCT FROM lead(epoch) OVER w) AND iterators = lead(iterators) OVER w AS goes_on
  FROM made
  WHERE kind = 'next'
  WINDOW w AS (PARTITION BY run, node, rank, pid, loader, own_file, recording ORDER BY ts, object, row)
),

worked AS (
  SELECT
    *,
    CASE
      WHEN compute_dur >= 0 THEN compute_dur
      WHEN goes_on AND next_ts - ts >= dur THEN next_ts - ts - dur
      WHEN goes_on AND next_ts IS NOT NULL THEN 0
    END AS compute,
    CASE WHEN compute_dur >= 0 THEN dur + compute_dur WHEN goes_on THEN next_ts - ts END AS step,
    sum(CASE WHEN first THEN 1 ELSE 0 END) OVER l - 1 AS pass,
    row_number() OVER l - 1 AS place
  FROM compared
  WINDOW l AS (
    PARTITION BY run, node, rank, pid, loader, own_file
    ORDER BY recording, ts, object, row
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )
),

followed AS (
  SELECT
    *,
    lag(compute) OVER (PARTITION BY run, node, rank, pid, loader, own_file ORDER BY place) AS compute_before
  FROM worked
)

SELECT
  run,
  node,
  rank,
  pid,
  loader,
  own_file AS object,
  variant,
  TRY_CAST(pass AS bigint) AS pass,
  epoch,
  TRY_CAST(place AS bigint) AS place,
  batch,
  first,
  ts,
  dur AS load,
  compute,
  step,
  compute_dur IS NOT NULL AS kept,
  CASE WHEN NOT first THEN dur + compute_before WHEN compute IS NOT NULL THEN dur END AS spacing
FROM followed
WHERE dur >= 0
ORDER BY run, node, rank, pid, loader, object, place
