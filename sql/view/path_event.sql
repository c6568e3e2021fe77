-- Which role does each event of a recording have in the graph of its critical path?
--
-- One row per event that is a part of the graph or defines how its parts are connected. The roles are those of the aggregate
-- `critical_path`. Operators are `operator`, and calls of a data loader are `loader`. Calls into the runtime or driver have three roles:
-- `lock` for those that hold the lock of the CUDA runtime (`cudaLaunchKernel`, `cudaMemcpyAsync`, `cudaHostAlloc`), `wait` for those that
-- wait for a device and do nothing else, and `call` for all others.
--
-- `work` is work on a device. `stream_sync`, `context_sync`, `event_sync` and `stream_wait` are synchronization, as CUPTI records it. `mark`
-- is for annotations, which are not part of the graph. Collectives on the host (gloo) are operators. Collectives that are marked around the
-- launch of kernels (NCCL, XCCL, HCCL) are marks.
--
-- Excluded: step marks; Python functions and modules; annotations that profilers draw on a device; events without a time, or with a
-- duration below 0 or above seven days, which comes from clocks that overflowed.
--
-- column  run            text     id    name of the run
-- column  node           text     id    machine
-- column  rank           bigint   id    global rank of the process; null when unknown
-- column  span           bigint   id    recording of the process within the run, from 0
-- column  object         bigint   id    file of the row, see table object
-- column  row            bigint   id    ordinal of the row in its file
-- column  role           text     name  what it is to the graph
-- column  name           text     name  name of the event
-- column  ts             bigint   time  start
-- column  dur            bigint   ns    duration
-- column  pid            bigint   id    operating system process id
-- column  tid            bigint   id    thread id
-- column  device         text     name  device (gpu0)
-- column  stream         bigint   id    stream of the device
-- column  correlation    bigint   id    ties a call to the work that it launched
-- column  record         bigint   id    correlation of the call that recorded the CUDA event which is waited for
-- column  record_stream  bigint   id    stream on which that was recorded
-- column  forward        boolean  flag  whether the name tells of a forward pass
-- column  backward       boolean  flag  whether the name tells of autograd, which runs the backward pass
--
-- needs   timed_event
-- order   run, ts, object, row
-- source  kineto, nsys

WITH roles AS (
  SELECT
    * EXCLUDE (
      raw_category, track, step, mode, external_id, args, process, type, call_path, python_path, parent_row, overlap_dur
    ),
    CASE category
      WHEN 'operator' THEN 'operator'
      WHEN 'loader' THEN 'loader'
      WHEN 'runtime' THEN CASE
        WHEN name IN ('cudaLaunchKernel', 'cudaMemcpyAsync', 'cudaHostAlloc') THEN 'lock'
        WHEN name IN (
          'cudaDeviceSynchronize', 'cudaStreamSynchronize', 'cudaEventSynchronize', 'cudaEventQuery', 'cudaMemcpy',
          'hipDeviceSynchronize', 'hipStreamSynchronize', 'hipEventSynchronize', 'hipEventQuery', 'hipMemcpy'
        ) THEN 'wait'
        ELSE 'call'
      END
      WHEN 'driver' THEN 'call'
      WHEN 'kernel' THEN 'work'
      WHEN 'memcpy' THEN 'work'
      WHEN 'memset' THEN 'work'
      WHEN 'sync' THEN CASE name
        WHEN 'Stream Sync' THEN 'stream_sync'
        WHEN 'Context Sync' THEN 'context_sync'
        WHEN 'Event Sync' THEN 'event_sync'
        WHEN 'Stream Wait Event' THEN 'stream_wait'
      END
      WHEN 'communication' THEN CASE WHEN regexp_like(name, 'nccl|^[xh]ccl:') THEN 'mark' ELSE 'operator' END
      ELSE 'mark'
    END AS role,
    CASE WHEN category = 'sync' THEN args END AS args
  FROM timed_event
  WHERE
    category IN (
      'operator', 'loader', 'runtime', 'driver', 'kernel', 'memcpy', 'memset', 'sync', 'annotation', 'communication'
    )
    AND (category NOT IN ('annotation', 'communication') OR coalesce(device, 'cpu') = 'cpu')
    AND ts IS NOT NULL
)

SELECT
  * EXCLUDE (category, args),
  try_cast(extract_arg(args, 'wait_on_cuda_event_record_corr_id') AS bigint) AS record,
  try_cast(extract_arg(args, 'wait_on_stream') AS bigint) AS record_stream,
  role IN ('operator', 'mark') AND strpos(name, 'forward') > 0 AS forward,
  role IN ('operator', 'mark') AND strpos(name, 'autograd') > 0 AS backward
FROM roles
WHERE role IS NOT NULL
ORDER BY run, ts, object, row
