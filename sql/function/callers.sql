-- Which functions called each Python function, and how long did the calls take?
--
-- One row per function, caller and process. A function without any caller has one row with a null caller. All profiles of a process are
-- added up, as `pstats.Stats.add` does. Profiles of cProfile and of pyinstrument are added up separately. Times are those of the called
-- function while it was called from this caller. `ratio` is the share of its cumulative time.
--
-- Excluded: reports of Lightning, which do not record callers. The dumps of Lightning's profiler do record them.
--
-- empty   there are no Python profiles, or no function has this text in its name
--
-- param   function  text = null    text within `file:line(function)` of the called function; null for all
-- param   limit     bigint = null  rows shown for each process, those with most time; null for all
--
-- column  run                    text    id     name of the run
-- column  node                   text    id     machine
-- column  rank                   bigint  id     global rank of the process; null when unknown
-- column  profiler               text    name   profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
-- column  function               text    name   name of the function; as file:line(function)
-- column  function_own_s         double  s      time in it, from all callers
-- column  function_cumulative_s  double  s      time in it and all it called, from all callers
-- column  caller                 text    name   calling function; null if there is none
-- column  calls                  bigint  count  calls; null from pyinstrument; samples from the sampler of Python 3.15
-- column  primitive_calls        bigint  count  calls that were not recursive; null or samples in the same cases as `calls`
-- column  own_s                  double  s      time in it alone; of its calls from this caller
-- column  cumulative_s           double  s      time in it and all it called; of its calls from this caller
-- column  ratio                  double  ratio  `cumulative_s` over that from all callers
--
-- needs   function, call
-- order   run, node, rank, profiler, function, cumulative_s desc, caller
-- source  cprofile, pyinstrument

WITH named AS (
  SELECT * EXCLUDE (function), concat(file, ':', coalesce(line, 0), '(', function, ')') AS function
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

matched AS (
  SELECT
    f.* EXCLUDE (calls, primitive_calls, own_s, cumulative_s),
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
)

SELECT *, cumulative_s / nullif(function_cumulative_s, 0) AS ratio
FROM matched
QUALIFY
  $limit IS NULL
  OR row_number() OVER (PARTITION BY run, node, rank, profiler ORDER BY cumulative_s DESC NULLS LAST, function, caller) <= $limit
ORDER BY run, node, rank, profiler, function, cumulative_s DESC, caller
