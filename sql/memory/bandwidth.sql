-- How fast did copies and fills move memory after every change?
--
-- Two rows per copy or fill: its bandwidth is added at its start and subtracted at its end. `name` is the direction (`Memcpy HtoD` from
-- host to device, `Memcpy DtoH`, `Memcpy DtoD`, ...; `Memcpy Unknown` if it was not recorded) or `Memset`. `bytes_per_s` is the sum over
-- all that run on the device in that direction, from `ts` on. The bandwidth of a copy is the one that the profiler wrote (GB of 10^9
-- bytes), else its bytes divided by its duration. A copy with a duration of 0, shorter than the resolution of the clock, counts as one
-- microsecond long.
--
-- The series is that of HTA's `get_memory_bw_time_series`. HTA adds up all devices of a rank and does not define the order of changes at
-- the same time. Here ends come before starts.
--
-- Excluded: copies with neither a recorded bandwidth nor a recorded size.
--
-- empty   no copy or fill with a bandwidth or a size was recorded; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- column  run                 text    id           name of the run
-- column  node                text    id           machine
-- column  rank                bigint  id           global rank of the process; null when unknown
-- column  span                bigint  id           recording of the process within the run, from 0
-- column  device              text    name         device (gpu0)
-- column  name                text    name         direction of the copies, or Memset
-- column  ts                  bigint  time         when the bandwidth changed
-- column  dur                 bigint  ns           from there to the next change; null for the last one
-- column  change_bytes_per_s  double  bytes_per_s  bandwidth of the copy that began, less than 0 for one that ended
-- column  bytes_per_s         double  bytes_per_s  bandwidth of all afterwards
--
-- needs   copy_rate
-- order   run, node, rank, span, device, name, ts, change_bytes_per_s
-- source  kineto, nsys

SELECT run, node, rank, span, device, name, ts, dur, change_bytes_per_s, bytes_per_s
FROM copy_rate
ORDER BY run, node, rank, span, device, name, ts, change_bytes_per_s, row
