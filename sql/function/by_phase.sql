-- Which Python functions took most time in each phase of the job?
--
-- One row per phase, function and process. Phases are `initialization` (up to the first step), `training_loop` and `finalization` (after
-- the last step). With `modes`, each pair of modes in which profiles begin and end has its own rows. All profiles of a process are added
-- up, as `pstats.Stats.add` does. Profiles of cProfile and of pyinstrument are added up separately.
--
-- The phases are those of `fetch_profile_stats_by_job_phase` and, with `modes`, `fetch_profile_stats_by_training_phase` of smdebug. The
-- latter has only the last pair of modes for `initialization` and `finalization`.
--
-- Excluded: profiles that do not record what they cover.
--
-- empty   no Python profile records what it covers (SageMaker Debugger writes such profiles), or `by` is not one of own, cumulative, calls and primitive_calls (a sampler counts no calls)
--
-- param   by     text in own|cumulative|calls|primitive_calls = 'own'  measure that orders the functions
-- param   limit  bigint in 1.. = 20                                    functions shown for each phase
-- param   modes  boolean = false                                       whether each pair of modes has its own rows
--
-- column  run              text    id     name of the run
-- column  node             text    id     machine
-- column  rank             bigint  id     global rank of the process; null when unknown
-- column  profiler         text    name   profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
-- column  job_phase        text    name   initialization, training_loop or finalization
-- column  start_mode       text    name   mode in which the profiles begin; null without `modes`
-- column  end_mode         text    name   mode in which the profiles end; null without `modes`
-- column  position         bigint  id     position in its group, from 1
-- column  file             text    name   source file; ~ for built-ins
-- column  line             bigint  id     line in the file
-- column  function         text    name   name of the function
-- column  profiles         bigint  count  profiles that it is in
-- column  calls            bigint  count  calls; null from a sampler
-- column  primitive_calls  bigint  count  calls that were not recursive; null from a sampler
-- column  own_s            double  s      time in it alone
-- column  cumulative_s     double  s      time in it and all it called
-- column  ratio            double  ratio  `own_s` over that of all functions of the phase
--
-- needs   function, python_profile
-- order   run, node, rank, profiler, job_phase, start_mode, end_mode, position
-- source  cprofile, pyinstrument

WITH phased AS (
  SELECT
    f.*,
    p.job_phase,
    CASE WHEN $modes THEN p.start_mode END AS start_mode,
    CASE WHEN $modes THEN p.end_mode END AS end_mode
  FROM function AS f
  INNER JOIN python_profile AS p ON f.run = p.run AND f.object = p.object
  WHERE p.job_phase IS NOT NULL
),

summed AS (
  SELECT
    f.run,
    f.node,
    f.rank,
    f.profiler,
    f.job_phase,
    f.start_mode,
    f.end_mode,
    f.file,
    f.line,
    f.function,
    count(*) AS profiles,
    sum(f.calls) AS calls,
    sum(f.primitive_calls) AS primitive_calls,
    sum(f.own_s) AS own_s,
    sum(f.cumulative_s) AS cumulative_s
  FROM phased AS f
  GROUP BY f.run, f.node, f.rank, f.profiler, f.job_phase, f.start_mode, f.end_mode, f.file, f.line, f.function
),

measured AS (
  SELECT
    *,
    own_s / nullif(sum(own_s) OVER (PARTITION BY run, node, rank, profiler, job_phase, start_mode, end_mode), 0) AS ratio,
    CASE $by
      WHEN 'own' THEN own_s
      WHEN 'cumulative' THEN cumulative_s
      WHEN 'calls' THEN CAST(calls AS double)
      WHEN 'primitive_calls' THEN CAST(primitive_calls AS double)
    END AS measure
  FROM summed
),

placed AS (
  SELECT
    *,
    CAST(row_number() OVER (
      PARTITION BY run, node, rank, profiler, job_phase, start_mode, end_mode
      ORDER BY measure DESC, cumulative_s DESC, file, line, function
    ) AS bigint) AS position
  FROM measured
  WHERE measure IS NOT NULL
)

SELECT * EXCLUDE (measure)
FROM placed
WHERE position <= $limit
ORDER BY run, node, rank, profiler, job_phase, start_mode, end_mode, position
