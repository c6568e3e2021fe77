-- How long was the queue of each stream of a device after every change?
--
-- Two rows per launch and stream. The call on the host adds the launch to the queue of the stream (`delta` 1). The start of its work
-- removes it (`delta` -1). `length` is the number of launches in the queue from `ts` on. A stream with an empty queue waits for the host
-- next. A host with a full queue (usually 1024 launches, `kernel.queue_full_time`) waits for the device. A call that launches several work
-- items onto a stream, as a graph does, is one launch. If the clocks put a start before its call, the start counts at the time of the call.
--
-- The length is that of HTA's `get_queue_length_time_series`. HTA knows only some names of calls (no graphs, no cooperative launches) and
-- does not define the order of changes at the same time. Here calls come before starts.
--
-- Excluded: work without a recorded launch.
--
-- empty   no launch of device work was recorded; record a trace with ProfilerActivity.CPU and the activity of the device (CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- column  run     text    id     name of the run
-- column  node    text    id     machine
-- column  rank    bigint  id     global rank of the process; null when unknown
-- column  span    bigint  id     recording of the process within the run, from 0
-- column  device  text    name   device (gpu0)
-- column  stream  bigint  id     stream of the device
-- column  ts      bigint  time   when the length changed
-- column  dur     bigint  ns     from there to the next change; null for the last one
-- column  delta   bigint  count  1 for a launch, -1 for the start of its work
-- column  length  bigint  count  launches in the queue afterwards
--
-- needs   launch_queue
-- order   run, node, rank, span, device, stream, ts, delta desc
-- source  kineto, nsys

SELECT run, node, rank, span, device, stream, ts, dur, delta, length
FROM launch_queue
ORDER BY run, node, rank, span, device, stream, ts, delta DESC, row
