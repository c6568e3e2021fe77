-- Which kernels and host operations are collectives, and what did the profiler record about each?
--
-- One row per call: a kernel that moves data between devices (category `kernel`, function `is_collective`), or a collective that runs on
-- the host (category `communication`: gloo). Marks (`nccl:...`) on the host only launch a kernel and have no row.
--
-- PyTorch writes what a collective does on its kernel, or in older versions on the operator `record_param_comms` that launched it, which
-- has the same external id.
--
-- Excluded: rows without a time or a duration; durations below 0 or above seven days, which come from clocks that overflowed.
--
-- column  run              text     id    name of the run
-- column  node             text     id    machine
-- column  rank             bigint   id    global rank of the process; null when unknown
-- column  span             bigint   id    recording of the process within the run, from 0
-- column  step             bigint   id    step number as the profiler wrote it; null outside of all steps
-- column  device           text     name  device it ran on; null or cpu for one that ran on the host
-- column  stream           bigint   id    stream of the device
-- column  category         text     name  kernel, or communication for one that ran on the host
-- column  name             text     name  name of the kernel, or of the mark on the host
-- column  process_group    text     name  name of the process group; null where the profiler wrote none
-- column  sequence_number  bigint   id    sequence number in the process group; null where the profiler wrote none
-- column  alone            boolean  flag  whether the call is not matched with other ranks: its rank is unknown, or it is a send or a receive
-- column  ts               bigint   time  start
-- column  dur              bigint   ns    duration
-- column  args             text     json  everything else the profiler wrote on the call, or on its `record_param_comms`
-- column  object           bigint   id    file of the row, see table object
-- column  row              bigint   id    ordinal of the row in its file
--
-- needs   timed_event, event_step, event
-- order   run, ts, object, row
-- source  kineto, nsys

WITH stepped AS (
  SELECT run, object, row, step
  FROM event_step
  WHERE category = 'communication' OR category = 'kernel' AND is_collective(name)
),

noted AS (
  SELECT run, object, external_id, max(args) AS args
  FROM event
  WHERE name = 'record_param_comms' AND external_id IS NOT NULL AND extract_arg(args, 'Collective name') IS NOT NULL
  GROUP BY run, object, external_id
),

called AS (
  SELECT
    e.* EXCLUDE (args, step),
    s.step,
    CASE WHEN n.args IS NULL OR extract_arg(e.args, 'Collective name') IS NOT NULL THEN e.args ELSE n.args END AS args
  FROM timed_event AS e
  LEFT JOIN stepped AS s ON s.run = e.run AND s.object = e.object AND s.row = e.row
  LEFT JOIN noted AS n ON n.run = e.run AND n.object = e.object AND n.external_id = e.external_id
  WHERE e.type = 'communication' AND e.ts IS NOT NULL
)

SELECT
  run,
  node,
  rank,
  span,
  step,
  device,
  stream,
  category,
  name,
  extract_arg(args, 'Process Group Name') AS process_group,
  try_cast(extract_arg(args, 'Seq') AS bigint) AS sequence_number,
  rank IS NULL OR coalesce(extract_arg(args, 'Collective name') IN ('send', 'recv'), false) AS alone,
  ts,
  dur,
  args,
  object,
  row
FROM called
ORDER BY run, ts, object, row
