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
-- needs   call_path, event
-- order   run, object, row
-- source  kineto, nsys

-- Most operators launch nothing themselves: only those with the name of one that does are sorted.
WITH launching AS (
  SELECT DISTINCT p.run, p.object, p.operator
  FROM call_path AS p
  JOIN event AS e ON e.run = p.run AND e.object = p.object AND e.call_path = p.row
  WHERE e.category IN ('runtime', 'driver') AND e.correlation IS NOT NULL AND p.operator IS NOT NULL
),

rows AS (
  SELECT e.run, e.object, e.pid, e.tid, e.name, e.ts, e.dur, CAST(NULL AS bigint) AS correlation, false AS is_launch, e.row
  FROM launching AS l
  JOIN event AS e ON e.run = l.run AND e.object = l.object AND coalesce(e.name, '') = l.operator
  WHERE e.category IN ('operator', 'communication') AND e.call_path IS NOT NULL
  UNION ALL
  SELECT run, object, pid, tid, name, ts, dur, correlation, true AS is_launch, row
  FROM event
  WHERE category IN ('runtime', 'driver') AND correlation IS NOT NULL AND call_path IS NOT NULL
),

called AS (
  SELECT
    *,
    call_parent(name, NOT is_launch, ts, dur) OVER thread AS operator,
    call_parent(row, NOT is_launch, ts, dur) OVER thread AS operator_row,
    call_parent(ts, NOT is_launch, ts, dur) OVER thread AS operator_ts
  FROM rows
  WINDOW thread AS (PARTITION BY run, object, pid, tid ORDER BY ts, dur DESC, is_launch, row)
)

SELECT run, object, row, correlation, operator, operator_row, operator_ts
FROM called
WHERE is_launch AND operator_row IS NOT NULL
ORDER BY run, object, row
