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
-- needs   allocation, call_path, event
-- order   run, node, rank, device, self_increase_bytes desc, operator
-- source  kineto, nsys

-- Events of the allocator, by the call around them and by the device that has the memory.
WITH happened AS (
  SELECT
    e.run,
    e.object,
    e.call_path AS row,
    a.node,
    a.rank,
    a.device,
    count(*) AS n,
    sum(a.bytes) AS increase_bytes,
    count(*) FILTER (WHERE a.bytes > 0) AS allocs,
    coalesce(sum(a.bytes) FILTER (WHERE a.bytes > 0), 0) AS alloc_bytes
  FROM event AS e
  JOIN allocation AS a ON a.run = e.run AND a.object = e.object AND a.row = e.row
  WHERE e.category = 'memory' AND e.ts IS NOT NULL
  GROUP BY e.run, e.object, e.call_path, a.node, a.rank, a.device
),

devices AS (
  SELECT DISTINCT run, object, node, rank, device
  FROM happened
),

-- Rows count depth first, so all paths inside a path follow it.
counted AS (
  SELECT
    d.run,
    d.object,
    d.node,
    d.rank,
    d.device,
    p.row,
    p.paths_inside,
    p.category,
    p.name,
    p.outermost,
    p.operator,
    coalesce(h.n, 0) AS n,
    coalesce(h.increase_bytes, 0) AS increase_bytes,
    coalesce(h.allocs, 0) AS allocs,
    coalesce(h.alloc_bytes, 0) AS alloc_bytes,
    sum(coalesce(h.n, 0)) OVER paths AS n_until,
    sum(coalesce(h.increase_bytes, 0)) OVER paths AS increase_until,
    sum(coalesce(h.allocs, 0)) OVER paths AS allocs_until,
    sum(coalesce(h.alloc_bytes, 0)) OVER paths AS alloc_until
  FROM devices AS d
  JOIN call_path AS p ON p.run = d.run AND p.object = d.object
  LEFT JOIN happened AS h
    ON
      h.run = d.run
      AND h.object = d.object
      AND h.row = p.row
      AND (h.node IS NOT DISTINCT FROM d.node)
      AND (h.rank IS NOT DISTINCT FROM d.rank)
      AND (h.device IS NOT DISTINCT FROM d.device)
  WINDOW paths AS (PARTITION BY d.run, d.object, d.node, d.rank, d.device ORDER BY p.row)
),

-- The outer call of the same name already includes what a call inside it allocated.
whole AS (
  SELECT
    c.run,
    c.node,
    c.rank,
    c.device,
    c.name AS operator,
    sum(l.increase_until - c.increase_until + c.increase_bytes) FILTER (WHERE c.outermost) AS increase_bytes,
    sum(l.allocs_until - c.allocs_until + c.allocs) FILTER (WHERE c.outermost) AS allocs,
    sum(l.alloc_until - c.alloc_until + c.alloc_bytes) FILTER (WHERE c.outermost) AS alloc_bytes
  FROM counted AS c
  JOIN counted AS l
    ON
      l.run = c.run
      AND l.object = c.object
      AND l.row = c.row + c.paths_inside
      AND (l.node IS NOT DISTINCT FROM c.node)
      AND (l.rank IS NOT DISTINCT FROM c.rank)
      AND (l.device IS NOT DISTINCT FROM c.device)
  WHERE c.category IN ('operator', 'communication') AND c.name <> '' AND l.n_until - c.n_until + c.n > 0
  GROUP BY c.run, c.node, c.rank, c.device, c.name
),

own AS (
  SELECT
    run,
    node,
    rank,
    device,
    operator,
    sum(increase_bytes) AS self_increase_bytes,
    sum(allocs) AS self_allocs,
    sum(alloc_bytes) AS self_alloc_bytes
  FROM counted
  GROUP BY run, node, rank, device, operator
),

called AS (
  SELECT run, node, rank, name, count(*) AS n
  FROM event
  WHERE category IN ('operator', 'communication') AND dur >= 0
  GROUP BY run, node, rank, name
)

SELECT
  w.*,
  o.self_increase_bytes,
  o.self_allocs,
  o.self_alloc_bytes,
  c.n
FROM whole AS w
JOIN own AS o
  ON
    o.run = w.run
    AND o.operator = w.operator
    AND (o.node IS NOT DISTINCT FROM w.node)
    AND (o.rank IS NOT DISTINCT FROM w.rank)
    AND (o.device IS NOT DISTINCT FROM w.device)
JOIN called AS c
  ON c.run = w.run AND c.name = w.operator AND (c.node IS NOT DISTINCT FROM w.node) AND (c.rank IS NOT DISTINCT FROM w.rank)
ORDER BY run, node, rank, device, self_increase_bytes DESC, operator
