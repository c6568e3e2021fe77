-- Who called which Python function, and how long did it take?
--
-- One row per function, caller and process; a function that nobody called has one with a null caller. All profiles
-- of a process are added up, as `pstats.Stats.add` does: those of cProfile and those of pyinstrument by themselves. Reports of Lightning do not say who called, and are left out: its dumps do. Times are those of the
-- called function while it was called from there, and `ratio` is their share in its cumulative time.
--
-- empty   there are no Python profiles, or none has a function with this in its name
--
-- param   function  text = null       part of `file:line(function)` of the called function; null for all
-- param   limit     bigint = null     rows shown of each process, those with most time; null for all
--
-- column  run                    text    id     run the functions belong to
-- column  node                   text    id     machine
-- column  rank                   bigint  id     global rank of the process; null when unknown
-- column  profiler               text    name   cprofile or pyinstrument
-- column  function               text    name   called function, as file:line(function)
-- column  function_own_s         double  s      time in it, from all callers
-- column  function_cumulative_s  double  s      time in it and all it called, from all callers
-- column  caller                 text    name   calling function; null if there is none
-- column  calls                  bigint  count  calls; null from a sampler
-- column  primitive_calls        bigint  count  calls that were not recursive; null from a sampler
-- column  own_s                  double  s      time in the function itself, when called from there
-- column  cumulative_s           double  s      time in it and all it called, when called from there
-- column  ratio                  double  ratio  `cumulative_s` over that from all callers
--
-- needs   function, call
-- order   run, node, rank, profiler, function, cumulative_s desc, caller
-- source  cprofile, pyinstrument

WITH named AS (
  SELECT
    run,
    node,
    rank,
    profiler,
    object,
    concat(file, ':', coalesce(line, 0), '(', function, ')') AS function,
    calls,
    primitive_calls,
    own_s,
    cumulative_s
  FROM function
  WHERE profiler <> 'lightning_advanced'
),

profile AS (
  SELECT DISTINCT run, object, profiler
  FROM named
),

called AS (
  SELECT
    c.run,
    c.node,
    c.rank,
    p.profiler,
    c.callee,
    c.caller,
    sum(c.calls) AS calls,
    sum(c.primitive_calls) AS primitive_calls,
    sum(c.own_s) AS own_s,
    sum(c.cumulative_s) AS cumulative_s
  FROM call AS c
  INNER JOIN profile AS p ON c.run = p.run AND c.object = p.object
  GROUP BY c.run, c.node, c.rank, p.profiler, c.callee, c.caller
),

summed AS (
  SELECT
    run,
    node,
    rank,
    profiler,
    function,
    sum(calls) AS calls,
    sum(primitive_calls) AS primitive_calls,
    sum(own_s) AS own_s,
    sum(cumulative_s) AS cumulative_s
  FROM named
  WHERE $function IS NULL OR strpos(function, $function) > 0
  GROUP BY run, node, rank, profiler, function
),

found AS (
  SELECT
    f.run,
    f.node,
    f.rank,
    f.profiler,
    f.function,
    f.own_s AS function_own_s,
    f.cumulative_s AS function_cumulative_s,
    c.caller,
    CASE WHEN c.caller IS NULL THEN f.calls ELSE c.calls END AS calls,
    CASE WHEN c.caller IS NULL THEN f.primitive_calls ELSE c.primitive_calls END AS primitive_calls,
    CASE WHEN c.caller IS NULL THEN f.own_s ELSE c.own_s END AS own_s,
    CASE WHEN c.caller IS NULL THEN f.cumulative_s ELSE c.cumulative_s END AS cumulative_s
  FROM summed AS f
  LEFT JOIN called AS c
    ON
      f.run = c.run
      AND (f.node IS NOT DISTINCT FROM c.node)
      AND (f.rank IS NOT DISTINCT FROM c.rank)
      AND f.profiler = c.profiler
      AND f.function = c.callee
),

placed AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY run, node, rank, profiler
      ORDER BY cumulative_s DESC NULLS LAST, function, caller
    ) AS place
  FROM found
)

SELECT
  run,
  node,
  rank,
  profiler,
  function,
  function_own_s,
  function_cumulative_s,
  caller,
  calls,
  primitive_calls,
  own_s,
  cumulative_s,
  cumulative_s / nullif(function_cumulative_s, 0) AS ratio
FROM placed
WHERE $limit IS NULL OR place <= $limit
ORDER BY run, node, rank, profiler, function, cumulative_s DESC, caller
