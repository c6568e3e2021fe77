-- How did the waits for batches change in the course of a run?
--
-- The query divides the time from the first to the last call of a run into at most `bins` bins of equal length, the same for all ranks. A
-- call belongs to the bin in which it starts. The number of bins is at most the largest number of calls of a rank.
--
-- Excluded: empty bins and calls without a time. With `start` or `end`, calls that begin outside of that window are also excluded. The bins
-- then divide the time from the first to the last call in the window.
--
-- empty   no call for a batch was recorded in the window; SageMaker's data loader profiling and `tracelake record` record calls, and traces show PyTorch's DataLoader
--
-- param   bins   bigint in 1.. = 200    maximum number of bins
-- param   start  bigint in time = null  start of the window, in ns, like `ts`; null for the first call
-- param   end    bigint in time = null  end of the window (exclusive), in ns, like `ts`; null for the last call
--
-- column  run        text    id     name of the run
-- column  node       text    id     machine
-- column  rank       bigint  id     global rank of the process; null when unknown
-- column  ts         bigint  time   start of the bin
-- column  dur        bigint  ns     length of the bin
-- column  n          bigint  count  calls that start in it
-- column  wait_min   bigint  ns     shortest wait
-- column  wait_mean  double  ns     mean wait
-- column  wait_max   bigint  ns     longest wait
--
-- needs   next_call
-- order   run, node, rank, ts
-- source  sagemaker_framework, kineto, nsys, recorder

WITH timed AS (
  SELECT *
  FROM next_call
  WHERE ts IS NOT NULL AND (ts >= $start OR $start IS NULL) AND (ts < $end OR $end IS NULL)
),

ranks AS (
  SELECT run, node, rank, min(ts) AS first_ts, max(ts) AS last_ts, count(*) AS n
  FROM timed
  GROUP BY run, node, rank
),

extent AS (
  SELECT
    run,
    min(first_ts) AS first_ts,
    greatest(least($bins, max(n)), 1) AS bins,
    greatest((max(last_ts) - min(first_ts)) / greatest(least($bins, max(n)), 1), 1) AS width
  FROM ranks
  GROUP BY run
),

binned AS (
  SELECT
    c.run,
    c.node,
    c.rank,
    e.first_ts + least((c.ts - e.first_ts) / e.width, e.bins - 1) * e.width AS ts,
    e.width AS dur,
    c.dur AS wait
  FROM timed AS c
  JOIN extent AS e ON e.run = c.run
)

SELECT
  run,
  node,
  rank,
  ts,
  dur,
  count(*) AS n,
  min(wait) AS wait_min,
  avg(wait) AS wait_mean,
  max(wait) AS wait_max
FROM binned
GROUP BY run, node, rank, ts, dur
ORDER BY run, node, rank, ts
