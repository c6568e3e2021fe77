-- How much time passed before each run started to train?
--
-- One row per run. The job starts at the first sample of its machine. A profiler that records only the framework may have been started at
-- any time. Training begins with the first step, or with the first call for a batch if no steps were recorded.
--
-- column  run      text    id    name of the run
-- column  started  bigint  time  first sample of the machine; null when none has a time
-- column  trained  bigint  time  start of the first step or call for a batch; null when none has a time
-- column  dur      bigint  ns    from the one to the other; null when one is unknown, or training had begun before
--
-- cache   large
-- needs   run, loader, step_span, system_sample
-- order   run

WITH sampled AS (
  SELECT run, min(ts) AS ts
  FROM system_sample
  GROUP BY run
),

stepped AS (
  SELECT run, min(ts) AS ts
  FROM step_span
  GROUP BY run
),

first_request AS (
  SELECT run, min(ts) AS ts
  FROM loader
  WHERE kind = 'next'
  GROUP BY run
)

SELECT
  r.run,
  s.ts AS started,
  coalesce(t.ts, a.ts) AS trained,
  CASE WHEN coalesce(t.ts, a.ts) >= s.ts THEN coalesce(t.ts, a.ts) - s.ts END AS dur
FROM run AS r
LEFT JOIN sampled AS s ON s.run = r.run
LEFT JOIN stepped AS t ON t.run = r.run
LEFT JOIN first_request AS a ON a.run = r.run
ORDER BY r.run
