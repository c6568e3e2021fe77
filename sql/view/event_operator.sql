-- Inside which operator did each launch happen?
--
-- Launches are calls into the runtime or driver that have a `correlation`. The operator is the innermost one that encloses the call on its
-- thread. The view compares times and does not use `external_id`, because in some recordings these ids are missing or name another
-- operator. Collectives that were marked on the host (`nccl:all_reduce`) count as operators. Operators of a thread should not overlap
-- partly. If they do, a call belongs to the last operator that encloses it.
--
-- Excluded: calls outside all operators.
--
-- column  run           text    id    name of the run
-- column  object        bigint  id    file of the row, see table object
-- column  row           bigint  id    ordinal of the row in its file
-- column  correlation   bigint  id    ties a call to the work that it launched
-- column  operator      text    name  name of the operator; the innermost one around the launch
-- column  operator_row  bigint  id    ordinal of the operator's row in the file
-- column  operator_ts   bigint  time  start of the operator
--
-- needs   event
-- order   run, object, row
-- source  kineto, nsys

WITH called AS (
  SELECT
    *,
    call_parent(name, category IN ('operator', 'communication'), ts, dur) OVER thread AS operator,
    call_parent(row, category IN ('operator', 'communication'), ts, dur) OVER thread AS operator_row,
    call_parent(ts, category IN ('operator', 'communication'), ts, dur) OVER thread AS operator_ts
  FROM event
  WHERE
    (category IN ('operator', 'communication') OR (category IN ('runtime', 'driver') AND correlation IS NOT NULL))
    AND ts IS NOT NULL
    AND dur >= 0
  WINDOW thread AS (
    PARTITION BY run, object, pid, tid ORDER BY ts, dur DESC, category IN ('operator', 'communication') DESC, row
  )
)

SELECT run, object, row, correlation, operator, operator_row, operator_ts
FROM called
WHERE category IN ('runtime', 'driver') AND operator_row IS NOT NULL
ORDER BY run, object, row
