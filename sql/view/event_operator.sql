-- Inside which operator did each launch and each event of the allocator happen?
--
-- Launches are calls into the runtime or driver that have a `correlation`; events of the allocator have the category
-- `memory`. The operator is the innermost one that encloses them on their thread: times decide, not `external_id`, since
-- recordings exist in which these ids are missing, or name another operator. Collectives that were marked on the host
-- (`nccl:all_reduce`) count as operators.
--
-- Left out: what happened outside of all operators. Where operators of a thread overlap in part, which they should not, an
-- event may be left out, and none is given to an operator that does not enclose it.
--
-- column  run           text    id    run the event belongs to
-- column  object        bigint  id    file its row came from
-- column  row           bigint  id    ordinal of its row in that file
-- column  category      text    name  runtime, driver or memory
-- column  correlation   bigint  id    ties a launch to the work it launched
-- column  operator      text    name  name of the innermost operator
-- column  operator_row  bigint  id    ordinal of the operator's row in the file
--
-- needs   event
-- order   run, object, row
-- source  kineto

-- What happened on a thread: an operator ends (0) or starts (1), an event happens (2). At one time ends come first, and of the
-- operators that start together the longest.
WITH marks AS (
  SELECT run, object, pid, tid, row, category, correlation, ts AS at, 1 AS mark, dur
  FROM event
  WHERE category IN ('operator', 'communication') AND dur > 0
  UNION ALL
  SELECT run, object, pid, tid, row, category, correlation, ts + dur AS at, 0 AS mark, dur
  FROM event
  WHERE category IN ('operator', 'communication') AND dur > 0
  UNION ALL
  SELECT run, object, pid, tid, row, category, correlation, ts AS at, 2 AS mark, coalesce(dur, 0) AS dur
  FROM event
  WHERE (category IN ('runtime', 'driver') AND correlation IS NOT NULL AND dur >= 0) OR category = 'memory'
),

-- How many operators are open after each mark.
depths AS (
  SELECT
    *,
    row_number() OVER passed AS place,
    sum(CASE mark WHEN 0 THEN -1 WHEN 1 THEN 1 ELSE 0 END) OVER passed AS depth
  FROM marks
  WINDOW passed AS (
    PARTITION BY run, object, pid, tid ORDER BY at, mark, dur DESC, row ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )
),

-- The innermost open operator is the last one that started at the present depth: the one with the greatest place. Its row
-- is carried in the same number.
opened AS (
  SELECT
    run,
    object,
    row,
    category,
    correlation,
    mark,
    at + dur AS till,
    max(CASE WHEN mark = 1 THEN CAST(place AS bigint) * 4294967296 + row END) OVER (
      PARTITION BY run, object, pid, tid, depth ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) % 4294967296 AS operator_row
  FROM depths
  WHERE mark > 0 AND depth > 0
)

SELECT o.run, o.object, o.row, o.category, o.correlation, e.name AS operator, o.operator_row
FROM opened AS o
JOIN event AS e ON e.run = o.run AND e.object = o.object AND e.row = o.operator_row AND e.ts + e.dur >= o.till
WHERE o.mark = 2 AND e.category IN ('operator', 'communication')
ORDER BY run, object, row
