-- What did the hardware counters measure for each operator?
--
-- One row per process, operator and counter of CUPTI's range profiler, which measures one kernel after the other. Its recordings do not
-- show to which launch a range belongs. The query matches the ranges of a file, in the order of time, with its calls that launch kernels,
-- as HTA's `get_cupti_counter_data_with_operators` does. If the numbers of ranges and calls differ, the operators are null. `operator` is
-- the innermost one around the launch, `outer_operator` the outermost. `flops` is the number of operations that the counter represents. It
-- is two for each instruction that multiplies and adds, and one for each other instruction of the counters of additions and
-- multiplications. It is null for other counters. Recordings of a process are taken together.
--
-- empty   no counters were recorded; request CUPTI metrics from the profiler (_ExperimentalConfig)
--
-- column  run             text    id     name of the run
-- column  node            text    id     machine
-- column  rank            bigint  id     global rank of the process; null when unknown
-- column  outer_operator  text    name   outermost operator around the launch
-- column  operator        text    name   name of the operator; the innermost one around the launch
-- column  counter         text    name   counter, as the profiler names it
-- column  n               bigint  count  kernels
-- column  value_sum       double  count  sum over the kernels
-- column  value_mean      double  count  mean
-- column  value_min       double  count  minimum
-- column  value_max       double  count  maximum
-- column  flops           double  count  floating-point operations
--
-- needs   event
-- order   run, node, rank, outer_operator, operator, counter
-- source  kineto

WITH ranges AS (
  SELECT *, row_number() OVER (PARTITION BY run, object ORDER BY ts, row) AS place
  FROM event
  WHERE category = 'other' AND lower(raw_category) = 'cuda_profiler_range'
),

measured AS (
  SELECT run, object, count(*) AS n
  FROM ranges
  GROUP BY run, object
),

called AS (
  SELECT e.run, e.object, e.pid, e.tid, e.name, e.ts, e.dur, e.row, e.category IN ('runtime', 'driver') AS is_launch, m.n
  FROM measured AS m
  JOIN event AS e ON e.run = m.run AND e.object = m.object
  WHERE
    e.ts IS NOT NULL
    AND e.dur >= 0
    AND (
      e.category IN ('operator', 'communication')
      OR (e.category IN ('runtime', 'driver') AND regexp_like(e.name, 'Launch(Cooperative)?Kernel'))
    )
),

nested AS (
  SELECT
    *,
    NOT is_launch AND call_parent(row, NOT is_launch, ts, dur) OVER thread IS NULL AS outermost,
    call_parent(name, NOT is_launch, ts, dur) OVER thread AS operator
  FROM called
  WINDOW thread AS (PARTITION BY run, object, pid, tid ORDER BY ts, dur DESC, is_launch, row)
),

placed AS (
  SELECT *, call_parent(name, outermost, ts, dur) OVER thread AS outer_operator
  FROM nested
  WINDOW thread AS (PARTITION BY run, object, pid, tid ORDER BY ts, dur DESC, is_launch, row)
),

launches AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY run, object ORDER BY ts, row) AS place,
    count(*) OVER (PARTITION BY run, object) AS calls
  FROM placed
  WHERE is_launch
),

counted AS (
  SELECT
    r.run,
    r.node,
    r.rank,
    l.outer_operator,
    l.operator,
    unnest(string_to_array(r.args, ',')) AS item
  FROM ranges AS r
  LEFT JOIN launches AS l ON l.run = r.run AND l.object = r.object AND l.place = r.place AND l.calls = l.n
),

parsed AS (
  SELECT
    *,
    regexp_match(item, '"([^"]+)": *-?[0-9]')[1] AS counter,
    try_cast(regexp_match(item, '": *(-?[0-9.eE+-]+)')[1] AS double) AS value
  FROM counted
)

SELECT
  run,
  node,
  rank,
  outer_operator,
  operator,
  counter,
  count(*) AS n,
  sum(value) AS value_sum,
  avg(value) AS value_mean,
  min(value) AS value_min,
  max(value) AS value_max,
  sum(value) * CASE
    WHEN regexp_like(counter, '_op_[hfd]fma_pred_on\.sum$') THEN 2
    WHEN regexp_like(counter, '_op_[hfd](add|mul)_pred_on\.sum$') THEN 1
  END AS flops
FROM parsed
WHERE counter IS NOT NULL AND value IS NOT NULL
GROUP BY run, node, rank, outer_operator, operator, counter
ORDER BY run, node, rank, outer_operator, operator, counter
