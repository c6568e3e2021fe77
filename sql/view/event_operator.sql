-- Inside which operator did each launch happen?
--
-- Launches are calls into the runtime or driver that have a `correlation`. The operator is the innermost one that encloses
-- the call on its thread: times decide, not `external_id`, since recordings exist in which these ids are missing or name
-- another operator. Collectives that were marked on the host (`nccl:all_reduce`) count as operators.
--
-- Left out: calls outside of all operators. Where operators of a thread overlap in part, which they should not, a call belongs
-- to the last one that encloses it.
--
-- column  run           text    id    run the call belongs to
-- column  object        bigint  id    file its row came from
-- column  row           bigint  id    ordinal of its row in that file
-- column  correlation   bigint  id    ties it to the work it launched
-- column  operator      text    name  name of the innermost operator
-- column  operator_row  bigint  id    ordinal of the operator's row in the file
-- column  operator_ts   bigint  time  start of the operator
--
-- needs   event
-- order   run, object, row
-- source  kineto, nsys

WITH called AS (
  SELECT
    run,
    object,
    row,
    category,
    correlation,
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
