-- For how long was the queue of a stream full, so that the host had to wait for the device?
--
-- One row per stream of a recording. The queue counts as full while at least `limit` launches wait in it. CUDA usually holds 1024 launches,
-- and then blocks the calls that launch more. `ratio` is the share in the time from the first launch to the last start of work on any
-- stream of the recording. A queue that is full much of the time is a good sign: the device is the limit, not the host.
-- `kernel.queue_length` defines a launch.
--
-- Time and share are those of HTA's `get_time_spent_blocked_on_full_queue`, which covers only one stream of a rank.
--
-- The ratio is null for runs with device work that could not be read (view `unread_device`).
--
-- empty   no launch of device work was recorded; record a trace with ProfilerActivity.CPU and the activity of the device (CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- param   limit  bigint in 1.. = 1024  number of launches from which the queue is full
--
-- column  run         text    id     name of the run
-- column  node        text    id     machine
-- column  rank        bigint  id     global rank of the process; null when unknown
-- column  span        bigint  id     recording of the process within the run, from 0
-- column  device      text    name   device (gpu0)
-- column  stream      bigint  id     stream of the device
-- column  length_max  bigint  count  maximum length of the queue
-- column  n           bigint  count  how often the queue became full
-- column  dur_sum     bigint  ns     sum of the durations; of the times in which the queue was full
-- column  ratio       double  ratio  `dur_sum` over the time of the recording's launches
--
-- needs   launch_queue, unread_device
-- order   run, node, rank, span, device, stream
-- source  kineto, nsys

WITH waited AS (
  SELECT
    run,
    node,
    rank,
    span,
    device,
    stream,
    max(length) AS length_max,
    count(*) FILTER (WHERE delta = 1 AND length = $limit) AS n,
    coalesce(sum(dur) FILTER (WHERE length >= $limit), 0) AS dur_sum,
    CAST(coalesce(sum(dur) FILTER (WHERE length >= $limit), 0) AS double)
    / nullif(max(max(ts)) OVER recording - min(min(ts)) OVER recording, 0) AS ratio
  FROM launch_queue
  GROUP BY run, node, rank, span, object, device, stream
  WINDOW recording AS (PARTITION BY run, object)
)

SELECT s.* REPLACE (CASE WHEN u.run IS NULL THEN s.ratio END AS ratio)
FROM waited AS s
LEFT JOIN unread_device AS u ON u.run = s.run
ORDER BY run, node, rank, span, device, stream
