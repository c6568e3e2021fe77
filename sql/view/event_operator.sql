-- Inside which operator did each launch happen?
--
-- Launches are calls into the runtime or driver that have a `correlation`. The operator is the innermost one that encloses
-- the call on its thread: times decide, not `external_id`, since recordings exist in which these ids are missing or name
-- another operator. Collectives that were marked on the host (`nccl:all_reduce`) count as operators.
--
-- Left out: calls outside of all operators. Where operators of a thread overlap in part, which they should not, a call may be
-- left out; none is given to an operator that does not enclose it.
--
-- column  run           text    id    run the call belongs to
-- column  object        bigint  id    file its row came from
-- column  row           bigint  id    ordinal of its row in that file
-- column  correlation   bigint  id    ties it to the work it launched
-- column  operator      text    name  name of the innermost operator
-- column  operator_row  bigint  id    ordinal of the operator's row in the file
--
-- needs   event, operator_mark
-- order   run, object, row
-- source  kineto

-- The last operator that started at a depth has the greatest place. Its row is carried in the same number.
WITH opened AS (
  SELECT
    run,
    object,
    row,
    correlation,
    mark,
    till,
    max(CASE WHEN mark = 1 THEN place * 4294967296 + row END) OVER (
      PARTITION BY run, object, pid, tid, depth ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) % 4294967296 AS operator_row
  FROM operator_mark
  WHERE depth > 0 AND mark > 0 AND category <> 'memory'
)

SELECT o.run, o.object, o.row, o.correlation, e.name AS operator, o.operator_row
FROM opened AS o
JOIN event AS e ON e.run = o.run AND e.object = o.object AND e.row = o.operator_row AND e.ts + e.dur >= o.till
WHERE o.mark = 2 AND e.category IN ('operator', 'communication')
ORDER BY run, object, row
