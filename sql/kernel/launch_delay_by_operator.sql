-- How long after the start of an operator, and after its launch, do its kernels begin?
--
-- One row per process, operator and sequence of kernels. Only calls of an operator with recorded launches count. A launch belongs to the
-- innermost operator around it on its thread (`event_operator`). `kernel_names` are the names in the order of their launches, joined by
-- ` -> `. `operator_delay_mean` is the mean time from the start of the operator to its first launch: host work before the device gets
-- anything to do. `launch_delay_mean` is the mean time from the start of the first launch to the start of its kernel. It is long if the
-- device is busy with earlier work. Copies and fills do not count. Recordings of a process are taken together.
--
-- The means are those of HTA's `get_aten_op_kernels_and_delay`. HTA knows only operators of ATen and launches by CUDA, and takes the
-- operator from any thread.
--
-- empty   no kernel was recorded with its launch inside an operator; record with ProfilerActivity.CPU and the activity of the device (CUDA, XPU, MTIA, HPU or NPU)
--
-- column  run                  text    id     name of the run
-- column  node                 text    id     machine
-- column  rank                 bigint  id     global rank of the process; null when unknown
-- column  operator             text    name   name of the operator
-- column  kernel_names         text    name   names of the kernels that it launched, in that order
-- column  n                    bigint  count  calls of the operator
-- column  operator_delay_mean  double  ns     from the start of the operator to its first launch, mean
-- column  operator_delay_max   bigint  ns     longest of these
-- column  launch_delay_mean    double  ns     from the start of the first launch to the start of its kernel, mean
-- column  launch_delay_max     bigint  ns     longest of these
-- column  kernel_sum           bigint  ns     sum of the durations of the kernels
--
-- needs   device_launch, event_operator
-- order   run, node, rank, n desc, operator, kernel_names
-- source  kineto, nsys

WITH launched AS (
  SELECT
    d.*,
    o.operator_row,
    o.operator,
    o.operator_ts
  FROM device_launch AS d
  JOIN event_operator AS o ON o.run = d.run AND o.object = d.object AND o.row = d.launch_row
  WHERE d.category = 'kernel'
),

-- To order the names, the time and the row are put in front of each, padded to one width. An aggregate with its own order is slow for many
-- small groups.
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
  SELECT *, regexp_replace(array_to_string(array_sort(names), ' -> '), '[0-9]{40}', '', 'g') AS kernel_names
  FROM called
)

SELECT
  run,
  node,
  rank,
  operator,
  kernel_names,
  count(*) AS n,
  avg(operator_delay) AS operator_delay_mean,
  max(operator_delay) AS operator_delay_max,
  avg(launch_delay) AS launch_delay_mean,
  max(launch_delay) AS launch_delay_max,
  sum(kernel_sum) AS kernel_sum
FROM delayed
GROUP BY run, node, rank, operator, kernel_names
ORDER BY run, node, rank, n DESC, operator, kernel_names
