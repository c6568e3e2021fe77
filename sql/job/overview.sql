-- How long did a job run, and how much of that was spent before, in and after its training loop?
--
-- The job lasts from the first to the last time in its profile, of samples and events alike. Initialization ends when the first step
-- starts. The loop lasts until the last step of any mode ends. The rest is finalization. The three parts add up to the whole. A profile
-- without steps has no loop, and its parts are null.
--
-- The definitions are those of `get_job_statistics` of smdebug, with one difference. smdebug counts initialization from the full minute in
-- the name of the first file of samples, up to 60 s before the first measurement. Here it starts at the first recorded time.
--
-- empty   there are no steps and no samples of the system; SageMaker Debugger records both
--
-- column  run          text    id     name of the run
-- column  started      bigint  time   earliest time in its profile; null without an epoch
-- column  ended        bigint  time   last time in its profile; null without an epoch
-- column  dur          bigint  ns     from the first to the last time
-- column  init_dur     bigint  ns     from the first time to the start of the first step
-- column  loop_dur     bigint  ns     from there to the end of the last step
-- column  final_dur    bigint  ns     from there to the last time
-- column  init_ratio   double  ratio  `init_dur` over `dur`
-- column  loop_ratio   double  ratio  `loop_dur` over `dur`
-- column  final_ratio  double  ratio  `final_dur` over `dur`
-- column  steps        bigint  count  steps over all modes and recordings; null when none were marked
-- column  ranks        bigint  count  ranks; null when none is known
-- column  nodes        bigint  count  machines seen
--
-- needs   run, step_span
-- order   run

WITH training AS (
  SELECT run, min(ts) AS first_ts, max(coalesce(end_ts, ts)) AS last_end, count(*) AS steps
  FROM step_span
  GROUP BY run
),

parts AS (
  SELECT
    r.run,
    r.started,
    r.ended,
    r.last_ts - r.first_ts AS dur,
    t.first_ts - r.first_ts AS init_dur,
    t.last_end - t.first_ts AS loop_dur,
    r.last_ts - t.last_end AS final_dur,
    t.steps,
    r.ranks,
    r.nodes
  FROM run AS r
  -- Steps without an epoch cannot be compared with times of day.
  LEFT JOIN training AS t ON t.run = r.run AND t.first_ts >= r.first_ts
)

SELECT
  *,
  CAST(init_dur AS double) / nullif(dur, 0) AS init_ratio,
  CAST(loop_dur AS double) / nullif(dur, 0) AS loop_ratio,
  CAST(final_dur AS double) / nullif(dur, 0) AS final_ratio
FROM parts
ORDER BY run
