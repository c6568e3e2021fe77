-- Which Python profiles are there, and what do they cover?
--
-- One row per file of cProfile or pyinstrument, as in `list_profile_stats` of smdebug, and one per action in a report of Lightning's
-- AdvancedProfiler. Profiles of SageMaker Debugger reach from one phase of a step to another. The name of their folder records these
-- phases. Dumps and reports of Lightning record stage and action. For other profiles, the coverage is not known.
--
-- A profile of a Lightning action does not contain the functions of the actions inside it: while these run, the outer action is not
-- profiled.
--
-- empty   there are no Python profiles; SageMaker Debugger writes them into `framework/`, and `dump_stats` of cProfile or of Lightning's AdvancedProfiler writes them to files
--
-- column  run          text    id     name of the run
-- column  node         text    id     machine
-- column  rank         bigint  id     global rank of the process; null when unknown
-- column  profiler     text    name   profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
-- column  profile      text    id     profile within the run: path of its file
-- column  job_phase    text    name   initialization, training_loop or finalization
-- column  start_mode   text    name   mode in which the profiles begin; train, eval, predict, global or, before the first step, prestepzero
-- column  start_step   bigint  id     step in which it begins; null before the first
-- column  start_phase  text    name   start, stepstart, forwardpassend or stepend
-- column  end_mode     text    name   mode in which the profiles end; train, eval, predict, global or, after the last step, posthookclose
-- column  end_step     bigint  id     step in which it ends; null behind the last
-- column  end_phase    text    name   stepstart, forwardpassend, stepend or end
-- column  ts           bigint  time   start
-- column  dur          bigint  ns     length
-- column  functions    bigint  count  functions in it
-- column  own_s        double  s      time in it alone
-- column  stage        text    name   stage of Lightning: fit, validate, test or predict; else null
-- column  action       text    name   name of the action of Lightning; else null
-- column  report       bigint  id     report within the file, from 0; null where a file is one profile
--
-- needs   python_profile
-- order   run, node, rank, profiler, ts, profile, report, stage, action
-- source  cprofile, pyinstrument, lightning_advanced

SELECT * EXCLUDE (first_step, last_step, object)
FROM python_profile
ORDER BY run, node, rank, profiler, ts, profile, report, stage, action
