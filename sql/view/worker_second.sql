-- How many workers of the data loader were alive in each second, and how many cores did the machine have?
--
-- One row per machine and wall-clock second in which a worker was alive or a batch was requested.
--
-- Excluded: workers with a lifetime without a start time, or longer than a week; and the seconds of a run after the first 2,000,000 in which
-- a worker was alive.
--
-- column  run         text    id      name of the run
-- column  node        text    id      machine
-- column  ts          bigint  time    start of the second
-- column  alive       bigint  count   worker processes that lived in it
-- column  delivering  bigint  count   workers with a batch that was requested in it
-- column  cores       bigint  count   cores of the machine; null when none was sampled
-- column  relative    double  factor  `alive` over `cores`
--
-- needs   loader, next_call, system_sample
-- order   run, node, ts
-- source  sagemaker_framework, sagemaker_system, recorder

WITH life AS (
  SELECT
    run,
    node,
    rank,
    pid,
    worker,
    ts / 1000000000 AS begun,
    (ts + greatest(dur, 1) - 1) / 1000000000 AS ended
  FROM loader
  WHERE kind = 'worker' AND ts IS NOT NULL AND dur BETWEEN 0 AND 604800000000000
),

-- A worker counts once in a second, even if it ended and began in it.
disjoint AS (
  SELECT run, node, greatest(begun, coalesce(max(ended) OVER earlier + 1, begun)) AS begun, ended
  FROM life
  WINDOW earlier AS (
    PARTITION BY run, node, rank, pid, worker
    ORDER BY begun, ended ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
  )
),

changed AS (
  SELECT run, node, second, CAST(sum(step) AS bigint) AS step
  FROM (
    SELECT run, node, begun AS second, 1 AS step FROM disjoint WHERE begun <= ended
    UNION ALL
    SELECT run, node, ended + 1 AS second, -1 AS step FROM disjoint WHERE begun <= ended
  ) AS ends
  GROUP BY run, node, second
),

period AS (
  SELECT
    run,
    node,
    second,
    CAST(sum(step) OVER ordered AS bigint) AS alive,
    lead(second) OVER ordered - second AS seconds
  FROM changed
  WINDOW ordered AS (PARTITION BY run, node ORDER BY second)
),

placed AS (
  SELECT *, CAST(sum(seconds) OVER (PARTITION BY run ORDER BY node, second) AS bigint) - seconds AS before
  FROM period
  WHERE alive > 0
),

lived AS (
  SELECT run, node, alive, unnest(range(second, second + least(seconds, 2000000 - before))) AS second
  FROM placed
  WHERE before < 2000000
),

delivered AS (
  SELECT DISTINCT run, node, rank, pid, worker, ts / 1000000000 AS second
  FROM next_call
  WHERE ts IS NOT NULL AND worker IS NOT NULL
),

counted AS (
  SELECT run, node, second, max(alive) AS alive, count(*) FILTER (WHERE alive = 0) AS delivering
  FROM (
    SELECT run, node, second, alive FROM lived
    UNION ALL
    SELECT run, node, second, 0 AS alive FROM delivered
  ) AS seen
  GROUP BY run, node, second
),

machine AS (
  SELECT run, node, count(DISTINCT device) AS cores
  FROM system_sample
  WHERE resource = 'cpu' AND device IS NOT NULL
  GROUP BY run, node
)

SELECT
  c.run,
  c.node,
  c.second * 1000000000 AS ts,
  c.alive,
  c.delivering,
  m.cores,
  CAST(c.alive AS double) / m.cores AS relative
FROM counted AS c
LEFT JOIN machine AS m ON m.run = c.run AND m.node IS NOT DISTINCT FROM c.node
ORDER BY run, node, ts
