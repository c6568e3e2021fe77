-- How many workers of the data loader were alive in each second, and how many cores did the machine have?
--
-- One row per machine and wall-clock second in which a worker was alive or a batch was requested.
--
-- Excluded: workers with a lifetime without a start time, or longer than a week.
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

WITH lived AS (
  SELECT DISTINCT
    run,
    node,
    rank,
    pid,
    worker,
    unnest(generate_series(ts / 1000000000, (ts + greatest(dur, 1) - 1) / 1000000000)) AS second
  FROM loader
  WHERE kind = 'worker' AND ts IS NOT NULL AND dur BETWEEN 0 AND 604800000000000
),

delivered AS (
  SELECT DISTINCT run, node, rank, pid, worker, ts / 1000000000 AS second
  FROM next_call
  WHERE ts IS NOT NULL AND worker IS NOT NULL
),

counted AS (
  SELECT
    run,
    node,
    second,
    count(*) FILTER (WHERE lives) AS alive,
    count(*) FILTER (WHERE NOT lives) AS delivering
  FROM (
    SELECT run, node, second, true AS lives FROM lived
    UNION ALL
    SELECT run, node, second, false AS lives FROM delivered
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
