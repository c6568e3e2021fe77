-- What went wrong in the job, how often, and where first?
--
-- One row per run and kind of incident: slow_item, exception, out_of_memory, worker_timeout, worker_exit, program_exit.
--
-- empty   no incident was recorded; `tracelake record` records incidents
--
-- column  run        text    id     name of the run
-- column  kind       text    name   what happened
-- column  incidents  bigint  count  how often
-- column  ranks      bigint  count  ranks; those with such an incident
-- column  workers    bigint  count  workers that it happened in
-- column  items      bigint  count  different items that it is about
-- column  ts         bigint  time   when it happened first
-- column  last_ts    bigint  time   when it happened last
-- column  rank       bigint  id     global rank of the process; null when unknown
-- column  worker     bigint  id     worker number; of the first incident; null when it was none, or unknown
-- column  item       bigint  id     index of the item; null when it is about none, or unknown
-- column  message    text    text   the message the first time
--
-- needs   incident
-- order   run, kind
-- source  recorder

SELECT
  run,
  kind,
  count(*) AS incidents,
  count(DISTINCT rank) AS ranks,
  count(DISTINCT worker) AS workers,
  count(DISTINCT item) AS items,
  min(ts) AS ts,
  max(ts) AS last_ts,
  first_value(rank ORDER BY ts, object, row) AS rank,
  first_value(worker ORDER BY ts, object, row) AS worker,
  first_value(item ORDER BY ts, object, row) AS item,
  first_value(message ORDER BY ts, object, row) AS message
FROM incident
GROUP BY run, kind
ORDER BY run, kind
