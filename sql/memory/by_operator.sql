-- Which operators allocated memory on which device, and how much?
--
-- One row per process, device and operator inside which memory was allocated or freed. An event of the allocator belongs to
-- the innermost operator that encloses it on its thread (the `self_` columns), and with it to all operators around that one;
-- it counts once for an operator that is inside another call of the same name. `increase_bytes` is what was allocated less
-- what was freed, whoever allocated it; `alloc_bytes` leaves out what was freed. Recordings of a process are taken together.
--
-- The table is the memory view of the TensorBoard plugin. Left out: events outside of all operators.
--
-- empty   there are no events of an allocator: a trace has them if it was recorded with profile_memory=True
--
-- column  run                  text    id     run the operators belong to
-- column  node                 text    id     machine
-- column  rank                 bigint  id     global rank of the process; null when unknown
-- column  device               text    name   device whose memory it is (cpu, gpu0)
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
-- source  kineto

-- The operators around each event of the allocator, innermost first.
WITH happened AS (
  SELECT
    run,
    object,
    row,
    category,
    call_chain(name, category <> 'memory', ts, coalesce(dur, 0)) OVER (
      PARTITION BY run, object, pid, tid ORDER BY ts, coalesce(dur, 0) DESC, category = 'memory', row
    ) AS operators
  FROM event
  WHERE (category IN ('operator', 'communication') AND dur > 0 OR category = 'memory') AND ts IS NOT NULL
),

-- One row per event of the allocator and name of an operator around it.
named AS (
  SELECT run, object, row, operators[1] AS innermost, unnest(array_distinct(operators)) AS name
  FROM happened
  WHERE category = 'memory'
),

summed AS (
  SELECT
    a.run,
    a.node,
    a.rank,
    a.device,
    n.name,
    sum(a.bytes) AS increase_bytes,
    coalesce(sum(a.bytes) FILTER (WHERE n.name = n.innermost), 0) AS self_increase_bytes,
    count(*) FILTER (WHERE a.bytes > 0) AS allocs,
    count(*) FILTER (WHERE a.bytes > 0 AND n.name = n.innermost) AS self_allocs,
    coalesce(sum(a.bytes) FILTER (WHERE a.bytes > 0), 0) AS alloc_bytes,
    coalesce(sum(a.bytes) FILTER (WHERE a.bytes > 0 AND n.name = n.innermost), 0) AS self_alloc_bytes
  FROM named AS n
  JOIN allocation AS a ON a.run = n.run AND a.object = n.object AND a.row = n.row
  GROUP BY a.run, a.node, a.rank, a.device, n.name
),

called AS (
  SELECT run, node, rank, name, count(*) AS n
  FROM event
  WHERE category IN ('operator', 'communication') AND dur >= 0
  GROUP BY run, node, rank, name
)

SELECT
  s.run,
  s.node,
  s.rank,
  s.device,
  s.name AS operator,
  c.n,
  s.increase_bytes,
  s.self_increase_bytes,
  s.allocs,
  s.self_allocs,
  s.alloc_bytes,
  s.self_alloc_bytes
FROM summed AS s
JOIN called AS c
  ON c.run = s.run AND c.name = s.name AND (c.node IS NOT DISTINCT FROM s.node) AND (c.rank IS NOT DISTINCT FROM s.rank)
ORDER BY run, node, rank, device, self_increase_bytes DESC, operator
