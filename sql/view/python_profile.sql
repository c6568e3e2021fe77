-- Which Python profiles does each run have, and what do they cover?
--
-- One row per file of a Python profiler, and per action in a report of Lightning. A profile of SageMaker Debugger is in a folder with a name
-- that says what it covers: from a phase of one step to a phase of another step, each with its mode. A profile of Lightning covers all calls of
-- one action in a stage. Other profiles have nulls. `first_step` and `last_step` are the first and the last step that the profile covers,
-- also in part. A profile that begins when step 9 ends does not cover step 9. For a profile between two steps, `last_step` is less than
-- `first_step`.
--
-- `job_phase` is `initialization` before the first step, `finalization` after the last one, and `training_loop` otherwise. This is the
-- definition of `fetch_profile_stats_by_job_phase` of smdebug.
--
-- column  run          text    id     name of the run
-- column  node         text    id     machine
-- column  rank         bigint  id     global rank of the process; null when unknown
-- column  profiler     text    name   profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
-- column  profile      text    id     profile within the run: path of its file
-- column  start_mode   text    name   mode in which the profiles begin; train, eval, predict, global or, before the first step, prestepzero
-- column  start_step   bigint  id     step in which it begins; null before the first
-- column  start_phase  text    name   start, stepstart, forwardpassend or stepend
-- column  end_mode     text    name   mode in which the profiles end; train, eval, predict, global or, after the last step, posthookclose
-- column  end_step     bigint  id     step in which it ends; null behind the last
-- column  end_phase    text    name   stepstart, forwardpassend, stepend or end
-- column  ts           bigint  time   start
-- column  dur          bigint  ns     length
-- column  job_phase    text    name   initialization, training_loop or finalization
-- column  first_step   bigint  id     first step in it; the first one that is covered at least in part; null before the first
-- column  last_step    bigint  id     last step in it; the last one that is covered at least in part; null behind the last
-- column  functions    bigint  count  functions in it
-- column  own_s        double  s      time in it alone
-- column  object       bigint  id     file of the row, see table object
-- column  stage        text    name   stage of Lightning: fit, validate, test or predict; else null
-- column  action       text    name   name of the action of Lightning; else null
-- column  report       bigint  id     report within the file, from 0; null where a file is one profile
--
-- needs   function

WITH profiles AS (
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
  * EXCLUDE (scope, start_ts, end_ts),
  start_ts AS ts,
  end_ts - start_ts AS dur,
  CASE
    WHEN start_mode = 'prestepzero' THEN 'initialization'
    WHEN end_mode = 'posthookclose' THEN 'finalization'
    WHEN end_ts IS NOT NULL THEN 'training_loop'
  END AS job_phase,
  start_step + CASE WHEN start_phase = 'stepend' THEN 1 ELSE 0 END AS first_step,
  end_step - CASE WHEN end_phase = 'stepstart' THEN 1 ELSE 0 END AS last_step
FROM profiles
