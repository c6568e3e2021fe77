-- Which events have a plausible duration, and which of them compute, communicate or copy?
--
-- One row per event of table `event` with a duration from 0 to seven days, and all columns of the table. Longer and
-- negative durations come from clocks that overflowed.
--
-- `type` is the purpose of the work. On a device it is `communication` for a kernel that moves data between devices, `computation` for
-- every other kernel, and `memory` for copies and fills. The name of a kernel decides (function `is_collective`): NCCL, RCCL, oneCCL, HCCL,
-- symmetric memory of PyTorch, custom all-reduce of vLLM and TensorRT-LLM, Transformer Engine, DeepEP, NVSHMEM. On the host it is
-- `communication` for a collective, except for the marks (`nccl:...`, `xccl:...`, `hccl:...`) that PyTorch sets around the launch of a kernel.
--
-- column  run           text    id    name of the run
-- column  node          text    id    machine
-- column  rank          bigint  id    global rank of the process; null when unknown
-- column  span          bigint  id    recording of the process within the run, from 0
-- column  category      text    name  kind of work (operator, kernel, loader, phase, ...)
-- column  type          text    name  computation, communication or memory (copies and fills); null for other work of the host
-- column  raw_category  text    name  category as the profiler named it
-- column  name          text    name  name of the event
-- column  track         text    name  row of the event in a trace viewer: phase, thread or stream
-- column  ts            bigint  time  start
-- column  dur           bigint  ns    duration
-- column  step          bigint  id    step the profiler wrote on the event; null when it wrote none
-- column  mode          text    name  train, eval, predict or global, if the profiler recorded it
-- column  pid           bigint  id    operating system process id
-- column  tid           bigint  id    thread id
-- column  device        text    name  device it ran on (cpu, gpu0, ...)
-- column  stream        bigint  id    device stream
-- column  correlation   bigint  id    links a launch to the device work that it launched
-- column  external_id   bigint  id    links device work to the operator that launched it
-- column  args          text    json  everything else the profiler wrote on the event
-- column  process       text    name  process as the profiler named it; of device work, the process that launched it
-- column  call_path     bigint  id    row in `call_path`: the path of a call, or that of the innermost call around a launch or an allocation
-- column  python_path   bigint  id    row in `call_path` of the innermost Python function or module around the event on its thread
-- column  parent_row    bigint  id    row of the innermost call around it on its thread; of a Python function the innermost Python function
-- column  overlap_dur   bigint  ns    part of `dur` that an earlier call directly inside the same call covers, too; null when there is none
-- column  object        bigint  id    file of the row, see table object
-- column  row           bigint  id    ordinal of the row in its file
--
-- needs   event
-- order   run, ts, object, row
-- source  kineto, nsys, sagemaker_framework

SELECT
  *,
  CASE
    WHEN category IN ('memcpy', 'memset') THEN 'memory'
    WHEN category = 'kernel' THEN CASE WHEN is_collective(name) THEN 'communication' ELSE 'computation' END
    WHEN category = 'communication' AND NOT regexp_like(name, '^[nxh]ccl:') THEN 'communication'
  END AS type
FROM event
WHERE dur BETWEEN 0 AND 604800000000000
ORDER BY run, ts, object, row
