-- Which sequences of kernels do operators launch most often?
--
-- One row per process, name of a call and sequence of device work: candidates for fusion, a graph or a better kernel. Calls are operators,
-- annotations, collectives, modules and Python functions with `operator` in their name. Of nested calls, only the outermost counts. Its
-- sequence contains all work launched inside it on its thread, including copies and fills, in the order in which the work began. Names are
-- joined by ` -> `. Only sequences of at least `min_kernels` count. For each process, the `top` most frequent sequences are shown. Of
-- equally frequent ones, those with the most time on the device come first. Recordings of a process are taken together.
--
-- HTA's `get_frequent_cuda_kernel_sequences` takes the calls at the minimum depth at which the name occurs, and includes synchronization in
-- the kernels. It raises an error if calls begin at the same time.
--
-- empty   no call with this name launched so many kernels; lower `min_kernels`, or set another `operator` (`operator.summary` lists them)
--
-- param   operator     text = 'aten::'     text that the names of the calls contain
-- param   min_kernels  bigint in 1.. = 3   minimum number of kernels, copies and fills in a sequence
-- param   top          bigint in 1.. = 10  sequences shown for each process
--
-- column  run         text    id     name of the run
-- column  node        text    id     machine
-- column  rank        bigint  id     global rank of the process; null when unknown
-- column  name        text    name   name of the call
-- column  sequence    text    name   names of the kernels, copies and fills, in the order in which they began
-- column  n           bigint  count  calls with this sequence
-- column  kernels     bigint  count  kernels, copies and fills of the sequence
-- column  kernel_sum  bigint  ns     sum of the durations of the kernels
-- column  host_sum    bigint  ns     durations of the calls, added up
--
-- needs   device_launch, event
-- order   run, node, rank, n desc, kernel_sum desc, name, sequence
-- source  kineto, nsys

WITH called AS (
  SELECT *, category IN ('runtime', 'driver') AS is_launch
  FROM event
  WHERE
    ts IS NOT NULL
    AND dur >= 0
    AND (
      (category IN ('runtime', 'driver') AND correlation IS NOT NULL)
      OR (
        category IN ('operator', 'annotation', 'communication', 'python', 'module')
        AND strpos(name, $operator) > 0
        AND coalesce(device, 'cpu') = 'cpu'
      )
    )
),

nested AS (
  SELECT *, NOT is_launch AND call_parent(row, NOT is_launch, ts, dur) OVER thread IS NULL AS outermost
  FROM called
  WINDOW thread AS (PARTITION BY run, object, pid, tid ORDER BY ts, dur DESC, is_launch, row)
),

placed AS (
  SELECT
    * EXCLUDE (name, dur),
    call_parent(row, outermost, ts, dur) OVER thread AS call_row,
    call_parent(name, outermost, ts, dur) OVER thread AS name,
    call_parent(dur, outermost, ts, dur) OVER thread AS dur
  FROM nested
  WINDOW thread AS (PARTITION BY run, object, pid, tid ORDER BY ts, dur DESC, is_launch, row)
),

launched AS (
  SELECT
    w.run,
    w.node,
    w.rank,
    w.object,
    p.name AS called,
    p.call_row,
    p.dur AS host_dur,
    w.name,
    w.ts,
    w.row,
    w.dur
  FROM placed AS p
  JOIN device_launch AS w ON w.run = p.run AND w.object = p.object AND w.launch_row = p.row
  WHERE p.is_launch AND p.call_row IS NOT NULL
),

-- To order the names, the time and the row are put in front of each, padded to one width. An aggregate with its own order is slow for many
-- small groups.
called_once AS (
  SELECT
    run,
    node,
    rank,
    called,
    array_agg(concat(lpad(CAST(ts AS text), 20, '0'), lpad(CAST(row AS text), 20, '0'), name)) AS names,
    count(*) AS kernels,
    sum(dur) AS kernel_sum,
    min(host_dur) AS host_dur
  FROM launched
  GROUP BY run, node, rank, object, called, call_row
),

sequences AS (
  SELECT
    *,
    called AS name,
    regexp_replace(array_to_string(array_sort(names), ' -> '), '[0-9]{40}', '', 'g') AS sequence
  FROM called_once
  WHERE kernels >= $min_kernels
),

counted AS (
  SELECT
    run,
    node,
    rank,
    name,
    sequence,
    count(*) AS n,
    kernels,
    sum(kernel_sum) AS kernel_sum,
    sum(host_dur) AS host_sum
  FROM sequences
  GROUP BY run, node, rank, name, sequence, kernels
)

SELECT *
FROM counted
QUALIFY row_number() OVER (PARTITION BY run, node, rank ORDER BY n DESC, kernel_sum DESC, name, sequence) <= $top
ORDER BY run, node, rank, n DESC, kernel_sum DESC, name, sequence
