-- Which Python functions took most time: in all profiles, or in those of a time window, a range of steps or a phase of the job?
--
-- One row per function and process; with `phases` and `modes`, one for each phase of the job and pair of modes. `function.by_phase` and
-- `function.by_window` define phases, windows and ranges of steps. All profiles of a process are added up.
--
-- Excluded without `all_profiles`: profiles that do not record what they cover.
--
-- param   start         bigint in time = null                                 start of the window, in ns, like `ts`; null for the first profile
-- param   end           bigint in time = null                                 end of the window, in ns, like `ts`; null for the last profile
-- param   first_step    bigint = null                                         first step of the range; null for all steps up to `last_step`
-- param   last_step     bigint = null                                         last step of the range; null for all steps from `first_step` on
-- param   mode          text in train|eval|predict|global = null              only profiles that begin and end in this mode
-- param   by            text in own|cumulative|calls|primitive_calls = 'own'  measure that orders the functions
-- param   limit         bigint in 1.. = 20                                    functions shown for each process and phase
-- param   phases        boolean = false                                       whether each phase of the job has its own rows
-- param   modes         boolean = false                                       whether each pair of modes has its own rows
-- param   all_profiles  boolean = false                                       whether all profiles count, also those that do not record what they cover; the window and the phases then do not apply
--
-- column  run              text    id     name of the run
-- column  node             text    id     machine
-- column  rank             bigint  id     global rank of the process; null when unknown
-- column  profiler         text    name   profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
-- column  job_phase        text    name   initialization, training_loop or finalization; null without `phases`
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
-- column  ratio            double  ratio  `own_s` over that of all functions of the process and phase
--
-- needs   function, python_profile
-- order   run, node, rank, profiler, job_phase, start_mode, end_mode, position
-- source  cprofile, pyinstrument

WITH profile AS (
  SELECT
    run,
    object,
    CASE WHEN $phases THEN job_phase END AS job_phase,
    CASE WHEN $modes THEN start_mode END AS start_mode,
    CASE WHEN $modes THEN end_mode END AS end_mode
  FROM python_profile
  WHERE
    job_phase IS NOT NULL
    AND ($end IS NULL OR ts < $end)
    AND ($start IS NULL OR ts + dur > $start)
    AND ($last_step IS NULL OR coalesce(first_step, -1) <= $last_step)
    AND ($first_step IS NULL OR last_step IS NULL OR last_step >= $first_step)
    AND ($mode IS NULL OR (start_mode = $mode AND end_mode = $mode))
),

chosen AS (
  SELECT f.*, p.job_phase, p.start_mode, p.end_mode
  FROM function AS f
  LEFT JOIN profile AS p ON p.run = f.run AND p.object = f.object AND NOT $all_profiles
  WHERE $all_profiles OR p.run IS NOT NULL
),

summed AS (
  SELECT
    run,
    node,
    rank,
    profiler,
    job_phase,
    start_mode,
    end_mode,
    file,
    line,
    function,
    count(*) AS profiles,
    sum(calls) AS calls,
    sum(primitive_calls) AS primitive_calls,
    sum(own_s) AS own_s,
    sum(cumulative_s) AS cumulative_s
  FROM chosen
  GROUP BY run, node, rank, profiler, job_phase, start_mode, end_mode, file, line, function
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
