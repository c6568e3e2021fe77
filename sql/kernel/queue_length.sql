-- How long was the queue of each stream of a device, at every change?
--
-- Two rows per launch and stream: the call of the host puts it into the queue of the stream (`change` 1), the start of its work
-- takes it out (`change` -1). `length` is the number of launches in the queue from `ts` on. A stream whose queue is empty
-- waits for the host next; a host whose queue is full (1024 launches as a rule, `kernel.queue_full_time`) waits for the device.
-- A call that launches several pieces of work onto a stream, as a graph does, is one launch. Where the clocks put a start before
-- its call, it counts at the time of the call.
--
-- The length is that of HTA's `get_queue_length_time_series`, which knows some names of calls (no graphs, no cooperative
-- launches) and leaves the order of what happens at one time open; here calls come before starts.
--
-- Left out: work without a launch on record.
--
-- empty   no launch of device work is on record: a trace has them if recorded with ProfilerActivity.CPU and ProfilerActivity.CUDA, an export of Nsight Systems with --trace=cuda
--
-- column  run     text    id     run the stream belongs to
-- column  node    text    id     machine
-- column  rank    bigint  id     global rank of the process; null when unknown
-- column  span    bigint  id     recording of the process within the run, from 0
-- column  device  text    name   device (gpu0)
-- column  stream  bigint  id     stream of the device
-- column  ts      bigint  time   when the length changed
-- column  dur     bigint  ns     from there to the next change; null for the last one
-- column  change  bigint  count  1 for a launch, -1 for the start of its work
-- column  length  bigint  count  launches in the queue afterwards
--
-- needs   launch_queue
-- order   run, node, rank, span, device, stream, ts, change desc
-- source  kineto, nsys

SELECT run, node, rank, span, device, stream, ts, dur, change, length
FROM launch_queue
ORDER BY run, node, rank, span, device, stream, ts, change DESC, row
