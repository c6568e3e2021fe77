-- Which Python functions took most time in a time window or a range of steps?
--
-- One row per function and process. Profiles that overlap the window count as a whole: a profile is a sum and cannot be cut. Windows and
-- profiles that only touch do not overlap. A range of steps includes its first and last step. It selects profiles that cover a part of one
-- of its steps or lie between two of them. All profiles of a process are added up, as `pstats.Stats.add` does. Profiles of cProfile and of
-- pyinstrument are added up separately.
--
-- Excluded: profiles that do not record what they cover. `fetch_profile_stats_by_time` of smdebug also excludes a profile that contains the
-- window.
--
-- empty   no Python profile overlaps the window (`function.profiles` lists the profiles), or `by` is not one of own, cumulative, calls and primitive_calls (a sampler counts no calls)
--
-- param   start       bigint = null                                         start of the window, in ns since the Unix epoch; null for the first profile
-- param   end         bigint = null                                         end of the window, in ns since the Unix epoch; null for the last profile
-- param   first_step  bigint = null                                         first step of the range; null for all steps up to `last_step`
-- param   last_step   bigint = null                                         last step of the range; null for all steps from `first_step` on
-- param   mode        text in train|eval|predict|global = null              only profiles that begin and end in this mode
-- param   by          text in own|cumulative|calls|primitive_calls = 'own'  measure that orders the functions
-- param   limit       bigint in 1.. = 20                                    functions shown for each process
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
-- column  calls            bigint  count  calls; null from a sampler
-- column  primitive_calls  bigint  count  calls that were not recursive; null from a sampler
-- column  own_s            double  s      time in it alone
-- column  cumulative_s     double  s      time in it and all it called
-- column  ratio            double  ratio  `own_s` over that of all functions of the window
--
-- needs   function, python_profile
-- order   run, node, rank, profiler, position
-- source  cprofile, pyinstrument

WITH window_profile AS (
  SELECT run, object
  FROM python_profile
  WHERE
    job_phase IS NOT NULL
    AND ($end IS NULL OR ts < $end)
    AND ($start IS NULL OR ts + dur > $start)
    AND ($last_step IS NULL OR coalesce(first_step, -1) <= $last_step)
    AND ($first_step IS NULL OR last_step IS NULL OR last_step >= $first_step)
    AND ($mode IS NULL OR (start_mode = $mode AND end_mode = $mode))
),

summed AS (
  SELECT
    f.run,
    f.node,
    f.rank,
    f.profiler,
    f.file,
    f.line,
    f.function,
    count(*) AS profiles,
    sum(f.calls) AS calls,
    sum(f.primitive_calls) AS primitive_calls,
    sum(f.own_s) AS own_s,
    sum(f.cumulative_s) AS cumulative_s
  FROM function AS f
  INNER JOIN window_profile AS w ON f.run = w.run AND f.object = w.object
  GROUP BY f.run, f.node, f.rank, f.profiler, f.file, f.line, f.function
),

measured AS (
  SELECT
    *,
    own_s / nullif(sum(own_s) OVER (PARTITION BY run, node, rank, profiler), 0) AS ratio,
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
      PARTITION BY run, node, rank, profiler
      ORDER BY measure DESC, cumulative_s DESC, file, line, function
    ) AS bigint) AS position
  FROM measured
  WHERE measure IS NOT NULL
)

SELECT * EXCLUDE (measure)
FROM placed
WHERE position <= $limit
ORDER BY run, node, rank, profiler, position
