-- How much time passed from one call for a batch to the next?
--
-- The time between the starts of two consecutive calls of one process. It covers the wait for the first batch and all work before the
-- process requested the next one. The first call of a process, or of one of its recordings, does not end an interval.
--
-- Excluded: calls without a time.
--
-- column  run     text    id    name of the run
-- column  node    text    id    machine
-- column  rank    bigint  id    global rank of the process; null when unknown
-- column  pid     bigint  id    operating system process id
-- column  ts      bigint  time  start of the earlier call
-- column  dur     bigint  ns    from there to the start of the later call
-- column  worker  bigint  id    worker number; of the later call
-- column  epoch   bigint  id    epoch as recorded
-- column  batch   bigint  id    batch number as recorded; of the later call
--
-- needs   next_call, object
-- order   run, node, rank, pid, ts
-- source  sagemaker_framework, kineto, nsys

WITH paired AS (
  SELECT
    n.*,
    lag(n.ts) OVER (
      PARTITION BY n.run, n.node, n.rank, n.pid, o.recording ORDER BY n.ts, n.object, n.row
    ) AS previous_ts
  FROM next_call AS n
  JOIN object AS o ON o.run = n.run AND o.object = n.object
  WHERE n.ts IS NOT NULL
)

SELECT run, node, rank, pid, previous_ts AS ts, ts - previous_ts AS dur, worker, epoch, batch
FROM paired
WHERE previous_ts IS NOT NULL
ORDER BY run, node, rank, pid, ts
