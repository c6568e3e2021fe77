-- Which operators allocated memory on which device, and how much?
--
-- One row per process, device and operator inside which memory was allocated or freed. An event of the allocator belongs to the innermost
-- operator that encloses it on its thread (the `self_` columns), and to all operators around that one. It counts once for an operator that
-- is inside another call of the same name. `increase_bytes` is the allocated memory minus the freed memory, whatever operator
-- allocated it. `alloc_bytes` excludes the freed memory. Recordings of a process are taken together.
--
-- The table is the memory view of the TensorBoard plugin. `key_averages()` of PyTorch has the same numbers, but what an annotation inside an
-- operator allocated is in the row of the annotation there, and recursive calls are added up.
--
-- Excluded: events outside of all operators.
--
-- empty   there are no events of an allocator; record the trace with profile_memory=True
--
-- column  run                  text    id     name of the run
-- column  node                 text    id     machine
-- column  rank                 bigint  id     global rank of the process; null when unknown
-- column  device               text    name   device of the memory (cpu, gpu0)
-- column  operator             text    name   name of the operator
-- column  n                    bigint  count  calls of the operator, with and without events of the allocator
-- column  increase_bytes       bigint  bytes  bytes allocated less bytes freed, in it and the operators it called
-- column  self_increase_bytes  bigint  bytes  the same without the operators it called
-- column  allocs               bigint  count  allocations in it and the operators it called
-- column  self_allocs          bigint  count  allocations without the operators it called
-- column  alloc_bytes          bigint  bytes  bytes allocated in it and the operators it called
-- column  self_alloc_bytes     bigint  bytes  bytes allocated without the operators it called
--
-- needs   allocation, event
-- order   run, node, rank, device, self_increase_bytes desc, operator
-- source  kineto, nsys

-- Events of the allocator, by their thread and by the device that has the memory.
WITH happened AS (
  SELECT e.run, e.object, e.row, e.pid, e.tid, e.ts, coalesce(e.dur, 0) AS dur, a.node, a.rank, a.device, a.bytes
  FROM event AS e
  JOIN allocation AS a ON a.run = e.run AND a.object = e.object AND a.row = e.row
  WHERE e.category = 'memory' AND e.ts IS NOT NULL
),

devices AS (
  SELECT DISTINCT run, object, pid, tid, node, rank, device
  FROM happened
),

-- Adds the operators of the thread, once for each device: an operator is a frame, an event of the allocator is not.
together AS (
  SELECT run, object, row, pid, tid, node, rank, device, CAST(NULL AS text) AS name, ts, dur, 1 AS n, bytes
  FROM happened
  UNION ALL
  SELECT e.run, e.object, e.row, e.pid, e.tid, d.node, d.rank, d.device, coalesce(e.name, ''), e.ts, e.dur, 0 AS n, 0 AS bytes
  FROM event AS e
  JOIN devices AS d
    ON
      d.run = e.run
      AND d.object = e.object
      AND (d.pid IS NOT DISTINCT FROM e.pid)
      AND (d.tid IS NOT DISTINCT FROM e.tid)
  WHERE e.category IN ('operator', 'communication') AND e.dur > 0 AND e.ts IS NOT NULL
),

framed AS (
  SELECT
    *,
    call_frame(name, ts, dur, n) OVER thread AS event,
    call_frame(name, ts, dur, bytes) OVER thread AS increase,
    call_frame(name, ts, dur, CASE WHEN bytes > 0 THEN 1 END) OVER thread AS alloc,
    call_frame(name, ts, dur, CASE WHEN bytes > 0 THEN bytes END) OVER thread AS alloc_bytes
  FROM together
  WINDOW thread AS (
    PARTITION BY run, object, pid, tid, node, rank, device ORDER BY ts, dur DESC, name IS NULL, row
  )
),

-- The outer call of the same name already includes what a call inside it allocated.
summed AS (
  SELECT
    run,
    node,
    rank,
    device,
    name,
    sum(increase['total_work']) FILTER (WHERE event['outermost']) AS increase_bytes,
    sum(increase['self_work']) AS self_increase_bytes,
    sum(alloc['total_work']) FILTER (WHERE event['outermost']) AS allocs,
    sum(alloc['self_work']) AS self_allocs,
    sum(alloc_bytes['total_work']) FILTER (WHERE event['outermost']) AS alloc_bytes,
    sum(alloc_bytes['self_work']) AS self_alloc_bytes
  FROM framed
  WHERE name <> '' AND event['total_work'] > 0
  GROUP BY run, node, rank, device, name
),
called AS (
  SELECT run, node, rank, name, count(*) AS n
  FROM event
  WHERE category IN ('operator', 'communication') AND dur >= 0
  GROUP BY run, node, rank, name
)

SELECT
  s.* EXCLUDE (name),
  s.name AS operator,
  c.n
FROM summed AS s
JOIN called AS c
  ON c.run = s.run AND c.name = s.name AND (c.node IS NOT DISTINCT FROM s.node) AND (c.rank IS NOT DISTINCT FROM s.rank)
ORDER BY run, node, rank, device, self_increase_bytes DESC, operator
