-- How long after the start of an operator, and after its launch, do its kernels begin?
--
-- One row per process, operator and sequence of kernels. The calls of an operator are those whose own launches are on record:
-- a launch belongs to the innermost operator around it on its thread (`event_operator`). `kernels` are the names in the order of
-- their launches, joined by ` -> `. `operator_delay_mean` is the mean time from the start of the operator to its first launch, work of
-- the host before the device hears of it; `launch_delay_mean` that from the start of the first launch to the start of its kernel,
-- long where the device is busy with what was launched before. Copies and fills do not count. Recordings of a process are taken
-- together.
--
-- The means are those of HTA's `get_aten_op_kernels_and_delay`, which knows operators of ATen and launches by CUDA only, and takes the
-- operator from any thread.
--
-- empty   no kernel is on record with its launch inside an operator: record with ProfilerActivity.CPU and ProfilerActivity.CUDA
--
-- column  run                  text    id     run the operators belong to
-- column  node                 text    id     machine
-- column  rank                 bigint  id     global rank of the process; null when unknown
-- column  operator             text    name   name of the operator
-- column  kernels              text    name   names of the kernels that it launched, in that order
-- column  n                    bigint  count  calls of the operator
-- column  operator_delay_mean  double  ns     from the start of the operator to its first launch, mean
-- column  operator_delay_max   bigint  ns     longest of these
-- column  launch_delay_mean    double  ns     from the start of the first launch to the start of its kernel, mean
-- column  launch_delay_max     bigint  ns     longest of these
-- column  kernel_sum           bigint  ns     durations of the kernels, added up
--
-- needs   device_launch, event_operator
-- order   run, node, rank, n desc, operator, kernels
-- source  kineto, nsys

WITH launched AS (
  SELECT
    d.run,
    d.node,
    d.rank,
    d.object,
    o.operator_row,
    o.operator,
    o.operator_ts,
    d.name,
    d.launch_ts,
    d.launch_row,
    d.ts,
    d.dur
  FROM device_launch AS d
  JOIN event_operator AS o ON o.run = d.run AND o.object = d.object AND o.row = d.launch_row
  WHERE d.category = 'kernel'
),

-- Names are put in order by the time and the row in front of them, all of one width: an aggregate with an order of its own is slow
-- for many small groups.
called AS (
  SELECT
    run,
    node,
    rank,
    operator,
    array_agg(concat(lpad(CAST(launch_ts AS text), 20, '0'), lpad(CAST(launch_row AS text), 20, '0'), name)) AS names,
    min(launch_ts) - min(operator_ts) AS operator_delay,
    first_value(ts - launch_ts ORDER BY launch_ts, launch_row, ts) AS launch_delay,
    sum(dur) AS kernel_sum
  FROM launched
  GROUP BY run, node, rank, object, operator, operator_row
),

delayed AS (
  SELECT
    run,
    node,
    rank,
    operator,
    regexp_replace(array_to_string(array_sort(names), ' -> '), '[0-9]{40}', '', 'g') AS kernels,
    operator_delay,
    launch_delay,
    kernel_sum
  FROM called
)

SELECT
  run,
  node,
  rank,
  operator,
  kernels,
  count(*) AS n,
  avg(operator_delay) AS operator_delay_mean,
  max(operator_delay) AS operator_delay_max,
  avg(launch_delay) AS launch_delay_mean,
  max(launch_delay) AS launch_delay_max,
  sum(kernel_sum) AS kernel_sum
FROM delayed
GROUP BY run, node, rank, operator, kernels
ORDER BY run, node, rank, n DESC, operator, kernels
