-- Which incidents did the recorder note in each run?
--
-- One row per run. Incidents come from recordings of `tracelake.record`. The counts are null without a recording, because nothing could
-- note an incident. The allocator of CUDA counts out-of-memory errors too; this count is available if DeviceStatsMonitor logged it.
--
-- column  run                   text    id     name of the run
-- column  recordings            bigint  count  recordings that would hold incidents; null without any
-- column  unended               bigint  count  those of them that have no end: they go on, or their process was killed
-- column  out_of_memory         bigint  count  errors for want of memory that were noted; null without a recording
-- column  out_of_memory_first   text    text   where and what the first one was; null without one
-- column  allocator_errors      bigint  count  such errors as the allocator counted them; null when that was not logged
-- column  worker_timeout        bigint  count  workers that were waited for too long; null without a recording
-- column  worker_timeout_first  text    text   where and what the first one was
-- column  worker_exit           bigint  count  workers that ended unexpectedly; null without a recording
-- column  worker_exit_first     text    text   where and what the first one was
--
-- cache   large
-- needs   run, object, problem, incident_summary, logged_sample
-- order   run

WITH recorded AS (
  SELECT o.run, count(*) AS recordings, count(p.object) AS unended
  FROM object AS o
  LEFT JOIN problem AS p ON p.run = o.run AND p.object = o.object AND p.kind = 'no_end'
  WHERE o.format = 'recorder' AND o.error IS NULL
  GROUP BY o.run
),

noted AS (
  SELECT
    run,
    kind,
    incidents,
    nullif(
      CASE WHEN incidents > 1 AND coalesce(worker, rank) IS NOT NULL THEN '; the first time' ELSE '' END
      || coalesce(' in worker ' || worker, '') || coalesce(' on rank ' || rank, '')
      || coalesce(': ' || left(split_part(message, chr(10), 1), 160), ''),
      ''
    ) AS first
  FROM incident_summary
),

counts AS (
  SELECT
    run,
    max(CASE WHEN kind = 'out_of_memory' THEN incidents END) AS out_of_memory,
    max(CASE WHEN kind = 'out_of_memory' THEN first END) AS out_of_memory_first,
    max(CASE WHEN kind = 'worker_timeout' THEN incidents END) AS worker_timeout,
    max(CASE WHEN kind = 'worker_timeout' THEN first END) AS worker_timeout_first,
    max(CASE WHEN kind = 'worker_exit' THEN incidents END) AS worker_exit,
    max(CASE WHEN kind = 'worker_exit' THEN first END) AS worker_exit_first
  FROM noted
  GROUP BY run
),

-- This counter only grows, so its maximum is the total.
counted AS (
  SELECT run, TRY_CAST(max(value) AS bigint) AS errors
  FROM logged_sample
  WHERE metric = 'num_ooms' AND value IS NOT NULL AND NOT isnan(value)
  GROUP BY run
)

SELECT
  r.run,
  d.recordings,
  d.unended,
  coalesce(t.out_of_memory, CASE WHEN d.run IS NOT NULL THEN 0 END) AS out_of_memory,
  t.out_of_memory_first,
  c.errors AS allocator_errors,
  coalesce(t.worker_timeout, CASE WHEN d.run IS NOT NULL THEN 0 END) AS worker_timeout,
  t.worker_timeout_first,
  coalesce(t.worker_exit, CASE WHEN d.run IS NOT NULL THEN 0 END) AS worker_exit,
  t.worker_exit_first
FROM run AS r
LEFT JOIN recorded AS d ON d.run = r.run
LEFT JOIN counts AS t ON t.run = r.run
LEFT JOIN counted AS c ON c.run = r.run
ORDER BY r.run
