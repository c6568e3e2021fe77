-- Which Python profiles are there, and what do they cover?
--
-- One row per file of cProfile or pyinstrument, as `list_profile_stats` of smdebug, and per action in a report of Lightning's
-- AdvancedProfiler. Profiles of SageMaker Debugger reach from a phase of a step to another one, and their folder says so; dumps and reports
-- of Lightning say stage and action. Of other profiles this is not known.
--
-- An action of Lightning has no functions of the actions within it: while these run, it is not profiled.
--
-- empty   there are no Python profiles: SageMaker Debugger writes them into `framework/`, and cProfile and Lightning's AdvancedProfiler where `dump_stats` is told to
--
-- column  run          text    id     run the profile belongs to
-- column  node         text    id     machine
-- column  rank         bigint  id     global rank of the process; null when unknown
-- column  profiler     text    name   cprofile, pyinstrument or lightning_advanced
-- column  profile      text    id     profile within the run: path of its file
-- column  job_phase    text    name   initialization, training_loop or finalization
-- column  start_mode   text    name   train, eval, predict, global or, before the first step, prestepzero
-- column  start_step   bigint  id     step in which it begins; null before the first
-- column  start_phase  text    name   start, stepstart, forwardpassend or stepend
-- column  end_mode     text    name   train, eval, predict, global or, behind the last step, posthookclose
-- column  end_step     bigint  id     step in which it ends; null behind the last
-- column  end_phase    text    name   stepstart, forwardpassend, stepend or end
-- column  ts           bigint  time   start
-- column  dur          bigint  ns     length
-- column  functions    bigint  count  functions in it
-- column  own_s        double  s      time in them
-- column  stage        text    name   stage of Lightning: fit, validate, test or predict; else null
-- column  action       text    name   action of Lightning; else null
-- column  report       bigint  id     report within the file, from 0; null where a file is one profile
--
-- needs   python_profile
-- order   run, node, rank, profiler, ts, profile, report, stage, action
-- source  cprofile, pyinstrument, lightning_advanced

SELECT
  run,
  node,
  rank,
  profiler,
  profile,
  job_phase,
  start_mode,
  start_step,
  start_phase,
  end_mode,
  end_step,
  end_phase,
  ts,
  dur,
  functions,
  own_s,
  stage,
  action,
  report
FROM python_profile
ORDER BY run, node, rank, profiler, ts, profile, report, stage, action
