-- Which operators launched which kernels, with what shape, and how well did the kernels fill the device?
--
-- One row per process, kernel, operator and shape of the launch. The operator is the innermost one that encloses the launch on its thread.
-- It is null if the recording does not show it. `dur_sum` adds up durations, so parallel kernels count more than once. `blocks_per_sm` and
-- `occupancy` are means of the values that the profiler wrote for each kernel, weighted by its duration. `blocks_per_sm` is the number of
-- blocks of the grid divided by the number of multiprocessors of the device. `occupancy` is the estimated share of active warps. Both are
-- null if the profiler does not write them, as on AMD. Recordings of a process are taken together.
--
-- The table is the kernel table by operator of the TensorBoard plugin. The plugin finds the operator by its external id. If ids are missing
-- or wrong, it finds no operator or a wrong one.
--
-- empty   no device work with known times was recorded; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- column  run                  text     id      name of the run
-- column  node                 text     id      machine
-- column  rank                 bigint   id      global rank of the process; null when unknown
-- column  name                 text     name    name of the kernel
-- column  operator             text     name    name of the operator; the innermost one around the launch
-- column  grid                 text     json    blocks of the grid in x, y, z
-- column  block                text     json    threads of a block in x, y, z
-- column  registers            bigint   count   registers per thread
-- column  shared_memory_bytes  bigint   bytes   shared memory of a block
-- column  n                    bigint   count   how often it ran
-- column  dur_sum              bigint   ns      sum of the durations
-- column  dur_mean             double   ns      mean
-- column  dur_min              bigint   ns      shortest
-- column  dur_max              bigint   ns      longest
-- column  blocks_per_sm        double   factor  blocks over multiprocessors of the device, mean weighted by duration
-- column  occupancy            double   ratio   estimated occupancy, mean over the kernels weighted by their time
-- column  tensor_core          boolean  flag    whether the kernel runs on tensor cores, by its name
--
-- needs   call_path, device_work, event
-- order   run, node, rank, dur_sum desc, name, operator, grid, block, registers, shared_memory_bytes
-- source  kineto, nsys, sagemaker_framework

WITH launches AS (
  SELECT e.run, e.object, e.correlation, max(p.operator) AS operator
  FROM call_path AS p
  JOIN event AS e ON e.run = p.run AND e.object = p.object AND e.call_path = p.row
  WHERE e.category IN ('runtime', 'driver') AND e.correlation IS NOT NULL
  GROUP BY e.run, e.object, e.correlation
),

shaped AS (
  SELECT
    w.*,
    l.operator,
    extract_arg(w.args, 'grid') AS grid,
    extract_arg(w.args, 'block') AS block,
    try_cast(extract_arg(w.args, 'registers per thread') AS bigint) AS registers,
    try_cast(extract_arg(w.args, 'shared memory') AS bigint) AS shared_memory_bytes,
    try_cast(extract_arg(w.args, 'blocks per SM') AS double) AS blocks_per_sm,
    try_cast(extract_arg(w.args, 'est. achieved occupancy %') AS double) / 100 AS occupancy
  FROM device_work AS w
  LEFT JOIN launches AS l ON l.run = w.run AND l.object = w.object AND l.correlation = w.correlation
  WHERE w.category = 'kernel'
)

SELECT
  run,
  node,
  rank,
  name,
  operator,
  grid,
  block,
  registers,
  shared_memory_bytes,
  count(*) AS n,
  sum(dur) AS dur_sum,
  avg(dur) AS dur_mean,
  min(dur) AS dur_min,
  max(dur) AS dur_max,
  sum(blocks_per_sm * dur) / nullif(sum(dur) FILTER (WHERE blocks_per_sm IS NOT NULL), 0) AS blocks_per_sm,
  sum(occupancy * dur) / nullif(sum(dur) FILTER (WHERE occupancy IS NOT NULL), 0) AS occupancy,
  tensor_core
FROM shaped
GROUP BY run, node, rank, name, operator, grid, block, registers, shared_memory_bytes, tensor_core
ORDER BY run, node, rank, dur_sum DESC, name, operator, grid, block, registers, shared_memory_bytes
