-- How long did a training loop wait for each batch, and how long did it work on it?
--
-- One row per call for the next batch (kind `next` of table `loader`). A loop is all calls of one process to one loader. Calls with a time
-- are ordered by it. Calls without a time are in the order of their file, and each such file is a loop of its own. A loop begins a new pass
-- over its data when the epoch changes, when a recording begins, and when the process created another iterator (kind `init`) for this loop
-- or for an unknown one.
--
-- `step_dur` is wait and work together, from one call to the next. If the profiler did not record the work, the view derives it from the
-- times of the calls; it is then unknown for the last call of a pass. `spacing` is the time that a clock at the top of the loop shows: from
-- batch to batch, including the work on the previous batch.
--
-- Excluded: calls without a duration or with a negative one. An excluded call may have been the first of its pass.
--
-- column  run          text     id    name of the run
-- column  node         text     id    machine
-- column  rank         bigint   id    global rank of the process; null when unknown
-- column  pid          bigint   id    operating system process id; null when unknown
-- column  loader       text     name  name of the loader or iterator; null when unknown
-- column  object       bigint   id    file of the row, see table object; null where calls have times
-- column  variant      text     name  real or ideal, of tools that time a replay; else null
-- column  pass         bigint   id    pass of the loop, from 0
-- column  epoch        bigint   id    epoch as recorded; null when unknown
-- column  position     bigint   id    position in its group, from 0
-- column  batch        bigint   id    batch number as recorded; null when unknown
-- column  is_first     boolean  flag  whether it is the first of its pass
-- column  ts           bigint   time  start of the wait; null when no time was recorded
-- column  load         bigint   ns    time waited for batches
-- column  compute      bigint   ns    time of the work on the batches; `step_dur` without the wait; null when unknown
-- column  step_dur     bigint   ns    from the call to the next; of work that was recorded, `load` and `compute`; null when unknown
-- column  is_recorded  boolean  flag  whether the profiler recorded `compute` itself
-- column  spacing      bigint   ns    from the batch before to this one; of the first of a pass the wait alone
--
-- needs   loader, object
-- order   run, node, rank, pid, loader, object, position
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder

WITH loops AS (
  SELECT DISTINCT run, node, rank, pid, loader
  FROM loader
  WHERE kind = 'next' AND loader IS NOT NULL
),

called AS (
  SELECT
    l.* EXCLUDE (loader),
    CASE WHEN l.kind IN ('next', 'end') THEN l.loader ELSE p.loader END AS loader,
    CASE WHEN l.ts IS NULL THEN l.object END AS own_file,
    o.recording
  FROM loader AS l
  JOIN object AS o ON o.run = l.run AND o.object = l.object
  LEFT JOIN loops AS p
    ON p.run = l.run
    AND (p.node IS NOT DISTINCT FROM l.node)
    AND (p.rank IS NOT DISTINCT FROM l.rank)
    AND (p.pid IS NOT DISTINCT FROM l.pid)
    AND p.loader = l.loader
    AND l.kind = 'init'
  WHERE l.kind IN ('next', 'end') OR (l.kind = 'init' AND l.ts IS NOT NULL)
),

-- Count the passes that began before a call: the iterators created for its loop, those of its process without a known loop, and the calls
-- that ended a pass of its loop.
-- Positions in the order are unique, so ROWS frames are correct, and they are faster.
numbered_inits AS (
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
    ) + count(CASE WHEN kind = 'end' THEN 1 END) OVER (
      PARTITION BY run, node, rank, pid, loader, own_file, recording
      ORDER BY ts, object, row
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS iterators
  FROM called
),

compared AS (
  SELECT
    *,
    row_number() OVER w = 1
    OR (epoch IS DISTINCT FROM lag(epoch) OVER w)
    OR (iterators IS DISTINCT FROM lag(iterators) OVER w) AS is_first,
    lead(ts) OVER w AS next_ts,
    (epoch IS NOT DISTINCT FROM lead(epoch) OVER w) AND iterators = lead(iterators) OVER w AS goes_on
  FROM numbered_inits
  WHERE kind IN ('next', 'end')
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
    CASE WHEN compute_dur >= 0 THEN dur + compute_dur WHEN goes_on THEN next_ts - ts END AS step_dur,
    sum(CASE WHEN is_first THEN 1 ELSE 0 END) OVER l - 1 AS pass,
    row_number() OVER l - 1 AS position
  FROM compared
  WHERE kind = 'next'
  WINDOW l AS (
    PARTITION BY run, node, rank, pid, loader, own_file
    ORDER BY recording, ts, object, row
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )
),

followed AS (
  SELECT *, lag(compute) OVER (PARTITION BY run, node, rank, pid, loader, own_file ORDER BY position) AS compute_before
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
  TRY_CAST(position AS bigint) AS position,
  batch,
  is_first,
  ts,
  dur AS load,
  compute,
  step_dur,
  compute_dur IS NOT NULL AS is_recorded,
  CASE WHEN NOT is_first THEN dur + compute_before WHEN compute IS NOT NULL THEN dur END AS spacing
FROM followed
WHERE dur >= 0
ORDER BY run, node, rank, pid, loader, object, position
