-- What went wrong in the job, how often, and where first?
--
-- One row per kind of incident of a run: slow_item, exception, out_of_memory, worker_timeout, worker_exit, program_exit.
--
-- empty   nothing went wrong that a recorder saw
--
-- column  run        text    id     run the incidents belong to
-- column  kind       text    name   what happened
-- column  incidents  bigint  count  how often
-- column  ranks      bigint  count  ranks that it happened on
-- column  workers    bigint  count  workers that it happened in
-- column  items      bigint  count  different items that it is about
-- column  ts         bigint  time   when it happened first
-- column  last_ts    bigint  time   when it happened last
-- column  rank       bigint  id     rank of the first; null when unknown
-- column  worker     bigint  id     worker of the first; null when it was none, or unknown
-- column  item       bigint  id     item of the first; null when it is about none, or unknown
-- column  message    text    text   what was said the first time
--
-- needs   incident
-- order   run, kind
-- source  recorder

WITH numbered AS (
  SELECT *, row_number() OVER (PARTITION BY run, kind ORDER BY ts, object, row) AS place
  FROM incident
)

SELECT
  run,
  kind,
  count(*) AS incidents,
  count(DISTINCT rank) AS ranks,
  count(DISTINCT worker) AS workers,
  count(DISTINCT item) AS items,
  min(ts) AS ts,
  max(ts) AS last_ts,
  max(CASE place WHEN 1 THEN rank END) AS rank,
  max(CASE place WHEN 1 THEN worker END) AS worker,
  max(CASE place WHEN 1 THEN item END) AS item,
  max(CASE place WHEN 1 THEN message END) AS message
FROM numbered
GROUP BY run, kind
ORDER BY run, kind
