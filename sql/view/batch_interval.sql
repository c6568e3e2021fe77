-- How much time passed from one call for a batch to the next?
--
-- The time between the starts of two consecutive calls of one process: the wait for the first batch and all the work
-- done before the process asked again. The first call of a process ends no interval.
--
-- Left out: calls without a time.
--
-- column  run     text    id    run the interval belongs to
-- column  node    text    id    machine
-- column  rank    bigint  id    global rank of the process; null when unknown
-- column  pid     bigint  id    operating system process id
-- column  ts      bigint  time  start of the earlier call
-- column  dur     bigint  ns    from there to the start of the later call
-- column  worker  bigint  id    worker that made the batch of the later call
-- column  epoch   bigint  id    epoch of the later call
-- column  batch   bigint  id    batch number of the later call
--
-- needs   next_call
-- order   run, node, rank, pid, ts
-- source  sagemaker_framework

WITH paired AS (
  SELECT
    run,
    node,
    rank,
    pid,
    ts,
    lag(ts) OVER (PARTITION BY run, node, rank, pid ORDER BY ts, object, row) AS previous_ts,
    worker,
    epoch,
    batch
  FROM next_call
  WHERE ts IS NOT NULL
)

SELECT run, node, rank, pid, previous_ts AS ts, ts - previous_ts AS dur, worker, epoch, batch
FROM paired
WHERE previous_ts IS NOT NULL
ORDER BY run, node, rank, pid, ts
