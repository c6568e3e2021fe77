-- What did each rank of a traced run spend the time of its steps on?
--
-- One row per rank with a trace of the PyTorch profiler or Nsight Systems: SageMaker's hook records its operators for only a few steps. The
-- times are those of `step.breakdown` over the complete steps of all recordings of the rank. If kernels, copies or fills were recorded, only
-- the steps of a recording from the first one with such work to the last one count: nothing is known about a device in the others.
--
-- column  run             text     id     name of the run
-- column  node            text     id     machine
-- column  rank            bigint   id     global rank of the process; null when unknown
-- column  has_device      boolean  flag   whether work of a device was recorded
-- column  steps           bigint   count  steps with a number; null for recordings without step marks
-- column  windows         bigint   count  steps; a recording without step marks is one
-- column  dur             double   ns     duration of the steps together
-- column  kernel          double   ns     time in which a kernel ran
-- column  memcpy          double   ns     time in which only a copy ran
-- column  memset          double   ns     time in which only a fill ran
-- column  communication   double   ns     time in which only collectives ran
-- column  exposed_loader  double   ns     time in which the process only waited for the data loader
-- column  host            double   ns     all else: calls into the runtime, work of the host, and nothing on record
-- column  operators       double   ns     time of `host` in which the host computed or called the runtime
--
-- cache   large
-- needs   object, step_breakdown
-- order   run, node, rank

WITH traced AS (
  SELECT DISTINCT run
  FROM object
  WHERE format IN ('kineto', 'nsys')
),

worked AS (
  SELECT
    s.*,
    bool_or(s.kernel + s.memcpy + s.memset > 0) OVER (PARTITION BY s.run, s.node, s.rank) AS has_device,
    min(CASE WHEN s.kernel + s.memcpy + s.memset > 0 THEN s.ts END) OVER w AS first_ts,
    max(CASE WHEN s.kernel + s.memcpy + s.memset > 0 THEN s.ts END) OVER w AS last_ts
  FROM step_breakdown AS s
  JOIN traced AS t ON t.run = s.run
  WHERE s.complete IS NOT FALSE
  WINDOW w AS (PARTITION BY s.run, s.node, s.rank, s.span)
)

SELECT
  run,
  node,
  rank,
  has_device,
  nullif(count(step), 0) AS steps,
  count(*) AS windows,
  sum(CAST(dur AS double)) AS dur,
  sum(CAST(kernel AS double)) AS kernel,
  sum(CAST(memcpy AS double)) AS memcpy,
  sum(CAST(memset AS double)) AS memset,
  sum(CAST(communication AS double)) AS communication,
  sum(CAST(exposed_loader AS double)) AS exposed_loader,
  sum(CAST(runtime AS double) + CAST(cpu AS double) + CAST(other AS double)) AS host,
  sum(CAST(runtime AS double) + CAST(cpu AS double)) AS operators
FROM worked
WHERE NOT has_device OR ts BETWEEN first_ts AND last_ts
GROUP BY run, node, rank, has_device
ORDER BY run, node, rank
