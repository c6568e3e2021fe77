-- Python profiles and what they cover.
--
-- One row per file of a Python profiler, and per action in a report of Lightning. Profiles of SageMaker Debugger say in a folder's name what
-- they cover: from a phase of a step of some mode to another one. Those of Lightning cover all calls of one action in a stage. Others
-- have nulls. `first_step` and `last_step` are the steps of which a part is covered: one that
-- begins when step 9 ends has none of it. A profile between two steps has a `last_step` below its `first_step`.
--
-- Before the first step is `initialization`, behind the last one `finalization`, all else the `training_loop`: the definition of
-- `fetch_profile_stats_by_job_phase` of smdebug.
--
-- column  run          text    id     run the profile belongs to
-- column  node         text    id     machine
-- column  rank         bigint  id     global rank of the process; null when unknown
-- column  profiler     text    name   cprofile, pyinstrument or lightning_advanced
-- column  profile      text    id     profile within the run: path of its file
-- column  start_mode   text    name   train, eval, predict, global or, before the first step, prestepzero
-- column  start_step   bigint  id     step in which it begins; null before the first
-- column  start_phase  text    name   start, stepstart, forwardpassend or stepend
-- column  end_mode     text    name   train, eval, predict, global or, behind the last step, posthookclose
-- column  end_step     bigint  id     step in which it ends; null behind the last
-- column  end_phase    text    name   stepstart, forwardpassend, stepend or end
-- column  ts           bigint  time   start
-- column  dur          bigint  ns     length
-- column  job_phase    text    name   initialization, training_loop or finalization
-- column  first_step   bigint  id     first step of which a part is covered; null before the first
-- column  last_step    bigint  id     last step of which a part is covered; null behind the last
-- column  functions    bigint  count  functions in it
-- column  own_s        double  s      time in them
-- column  object       bigint  id     file, see table object
-- column  stage        text    name   stage of Lightning: fit, validate, test or predict; else null
-- column  action       text    name   action of Lightning; else null
-- column  report       bigint  id     report within the file, from 0; null where a file is one profile
--
-- needs   function

WITH told AS (
  SELECT
    run,
    node,
    rank,
    profiler,
    profile,
    scope,
    object,
    report,
    count(*) AS functions,
    sum(own_s) AS own_s,
    extract_arg(scope, 'start_mode') AS start_mode,
    TRY_CAST(extract_arg(scope, 'start_step') AS bigint) AS start_step,
    extract_arg(scope, 'start_phase') AS start_phase,
    extract_arg(scope, 'end_mode') AS end_mode,
    TRY_CAST(extract_arg(scope, 'end_step') AS bigint) AS end_step,
    extract_arg(scope, 'end_phase') AS end_phase,
    TRY_CAST(round(TRY_CAST(extract_arg(scope, 'start_us') AS decimal(24, 4)) * 1000) AS bigint) AS start_ts,
    TRY_CAST(round(TRY_CAST(extract_arg(scope, 'end_us') AS decimal(24, 4)) * 1000) AS bigint) AS end_ts,
    extract_arg(scope, 'stage') AS stage,
    extract_arg(scope, 'action') AS action
  FROM function
  GROUP BY run, node, rank, profiler, profile, scope, object, report
)

SELECT
  run,
  node,
  rank,
  profiler,
  profile,
  start_mode,
  start_step,
  start_phase,
  end_mode,
  end_step,
  end_phase,
  start_ts AS ts,
  end_ts - start_ts AS dur,
  CASE
    WHEN start_mode = 'prestepzero' THEN 'initialization'
    WHEN end_mode = 'posthookclose' THEN 'finalization'
    WHEN end_ts IS NOT NULL THEN 'training_loop'
  END AS job_phase,
  start_step + CASE WHEN start_phase = 'stepend' THEN 1 ELSE 0 END AS first_step,
  end_step - CASE WHEN end_phase = 'stepstart' THEN 1 ELSE 0 END AS last_step,
  functions,
  own_s,
  object,
  stage,
  action,
  report
FROM told
