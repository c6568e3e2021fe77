-- How much did each collective move, and how long did the transfer take?
--
-- One row per row of view `collective`, with operation, size and data type as the profiler wrote them (function `collective_work`). For
-- gloo, the size follows from the shape of the input. `time` is the transfer, or the duration of a collective that no other rank recorded.
--
-- column  run            text    id      name of the run
-- column  node           text    id      machine
-- column  rank           bigint  id      global rank of the process; null when unknown
-- column  category       text    name    kernel, or communication for one that ran on the host
-- column  operation      text    name    all_reduce, all_gather, reduce_scatter, ...; null when unknown
-- column  process_group  text    name    name of the process group; null where the profiler wrote none
-- column  group_size     bigint  count   ranks of the group; null when unknown
-- column  data_type      text    name    data type of the elements; null when unknown
-- column  bytes          bigint  bytes   size as nccl-tests defines it; null when the profiler wrote none
-- column  bus_factor     double  factor  bus bandwidth over algorithm bandwidth; null in a group of one
-- column  collective     bigint  id      number of the collective in the run; null when found on no other rank
-- column  ts             bigint  time    start
-- column  dur            bigint  ns      duration
-- column  time           bigint  ns      time of the transfer
-- column  object         bigint  id      file of the row, see table object
-- column  row            bigint  id      ordinal of the row in its file
--
-- needs   collective, collective_call
-- order   run, ts, object, row
-- source  kineto, nsys

WITH worked AS (
  SELECT c.*, collective_work(n.name, n.args, c.ranks) AS work
  FROM collective AS c
  JOIN collective_call AS n ON n.run = c.run AND n.object = c.object AND n.row = c.row
)

SELECT
  run,
  node,
  rank,
  category,
  work['operation'] AS operation,
  process_group,
  work['group_size'] AS group_size,
  work['data_type'] AS data_type,
  work['bytes'] AS bytes,
  work['bus_factor'] AS bus_factor,
  collective,
  ts,
  dur,
  coalesce(transfer, dur) AS time,
  object,
  row
FROM worked
ORDER BY run, ts, object, row
