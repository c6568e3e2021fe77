-- Which Python functions took most time, or were called most often?
--
-- One row per function and process. All profiles of a process are added up, as `pstats.Stats.add` does. Profiles of cProfile, profiles of
-- pyinstrument and reports of Lightning are added up separately. Reports of Lightning have file names without folders, and may list only
-- the first functions of each action. `cumulative_s` counts recursion once. It includes the time of called functions, so its sum over
-- functions has no meaning. For traces that record every call, `function.python_trace` has the same numbers.
--
-- empty   there are no Python profiles (cProfile, pyinstrument and Lightning's AdvancedProfiler write them), or `by` is not one of own, cumulative, calls and primitive_calls (a sampler counts no calls)
--
-- param   by     text in own|cumulative|calls|primitive_calls = 'own'  measure that orders the functions
-- param   limit  bigint in 1.. = 20                                    functions shown for each process
--
-- column  run              text    id     name of the run
-- column  node             text    id     machine
-- column  rank             bigint  id     global rank of the process; null when unknown
-- column  profiler         text    name   profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
-- column  position         bigint  id     position in its group, from 1
-- column  file             text    name   source file; ~ for built-ins
-- column  line             bigint  id     line in the file
-- column  function         text    name   name of the function
-- column  profiles         bigint  count  profiles that it is in
-- column  calls            bigint  count  calls; null from pyinstrument; samples from the sampler of Python 3.15
-- column  primitive_calls  bigint  count  calls that were not recursive; null or samples in the same cases as `calls`
-- column  own_s            double  s      time in it alone
-- column  cumulative_s     double  s      time in it and all it called
-- column  ratio            double  ratio  `own_s` over that of all functions of the process
--
-- needs   profiled_function
-- order   run, node, rank, profiler, position
-- source  cprofile, pyinstrument, lightning_advanced

SELECT * EXCLUDE (job_phase, start_mode, end_mode)
FROM profiled_function(null, null, null, null, null, $by, $limit, false, false, true)
ORDER BY run, node, rank, profiler, position
