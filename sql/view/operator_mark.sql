-- How many operators are open on a thread, from one mark to the next?
--
-- A mark is the start of an operator (1), its end (0), or something that happened on the thread (2): a call into the
-- runtime or driver that has a `correlation`, which is a launch, or an event of the allocator. `depth` is the number
-- of operators that are open after the mark. The innermost open operator is therefore the last one that started at the
-- same depth, and the one around it the last one that started at the depth below. Collectives that were marked on the
-- host (`nccl:all_reduce`) count as operators.
--
-- At one time ends come first, and of the operators that start together the longest. Left out: operators of no length,
-- inside which nothing can happen.
--
-- column  run          text    id     run the mark belongs to
-- column  object       bigint  id     file of its event
-- column  pid          bigint  id     operating system process id
-- column  tid          bigint  id     thread id
-- column  place        bigint  id     place of the mark on its thread, from 1
-- column  mark         bigint  id     0 end of an operator, 1 start of an operator, 2 event
-- column  depth        bigint  count  open operators
-- column  ts           bigint  time   time of the mark
-- column  till         bigint  time   end of the operator or event
-- column  row          bigint  id     ordinal of its event in the file
-- column  category     text    name   category of its event
-- column  correlation  bigint  id     ties a launch to the work it launched
--
-- needs   event
-- order   run, object, pid, tid, place
-- source  kineto

WITH marks AS (
  SELECT run, object, pid, tid, row, category, correlation, CAST(1 AS bigint) AS mark, ts, ts + dur AS till
  FROM event
  WHERE category IN ('operator', 'communication') AND dur > 0
  UNION ALL
  SELECT run, object, pid, tid, row, category, correlation, CAST(0 AS bigint) AS mark, ts + dur AS ts, ts + dur AS till
  FROM event
  WHERE category IN ('operator', 'communication') AND dur > 0
  UNION ALL
  SELECT run, object, pid, tid, row, category, correlation, CAST(2 AS bigint) AS mark, ts, ts + coalesce(dur, 0) AS till
  FROM event
  WHERE (category IN ('runtime', 'driver') AND correlation IS NOT NULL AND dur >= 0) OR category = 'memory'
)

SELECT
  run,
  object,
  pid,
  tid,
  CAST(row_number() OVER passed AS bigint) AS place,
  mark,
  sum(CASE mark WHEN 0 THEN -1 WHEN 1 THEN 1 ELSE 0 END) OVER passed AS depth,
  ts,
  till,
  row,
  category,
  correlation
FROM marks
WINDOW passed AS (
  PARTITION BY run, object, pid, tid ORDER BY ts, mark, till DESC, row ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
)
ORDER BY run, object, pid, tid, place
