-- How much of the communication was hidden behind computation?
--
-- One row per recording of a process, over all its devices and streams together. `communication` is the time in which at least one
-- communication kernel ran. `overlap` is the part of it in which a computing kernel ran too. `exposed` is the rest, for which the process
-- waited. Copies and fills do not count on either side. Collectives that run on the host (gloo) are not kernels; `step.breakdown` has them.
--
-- `overlap_ratio` is that of HTA's `get_comm_comp_overlap`. It is null without communication. A recording without kernels has no row.
--
-- The ratio is null for runs with device work that could not be read (view `unread_device`).
--
-- empty   no device work with known times was recorded; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- column  run            text    id     name of the run
-- column  node           text    id     machine
-- column  rank           bigint  id     global rank of the process; null when unknown
-- column  span           bigint  id     recording of the process within the run, from 0
-- column  n              bigint  count  communicating kernels
-- column  communication  bigint  ns     time in which a collective ran; kernels of collectives
-- column  computation    bigint  ns     time in which a computing kernel ran
-- column  overlap        bigint  ns     time in which communication and computation both ran
-- column  exposed        bigint  ns     time in which a communicating kernel ran and no computing one
-- column  overlap_ratio  double  ratio  `overlap` over `communication`
--
-- needs   device_work, unread_device
-- order   run, node, rank, span
-- source  kineto, nsys, sagemaker_framework

WITH united AS (
  SELECT
    run,
    node,
    rank,
    span,
    object,
    count(*) FILTER (WHERE type = 'communication') AS n,
    union_length(ts, dur) FILTER (WHERE type = 'communication') AS communication,
    union_length(ts, dur) FILTER (WHERE type = 'computation') AS computation,
    union_length(ts, dur) AS kernel
  FROM device_work
  WHERE category = 'kernel'
  GROUP BY run, node, rank, span, object
)

SELECT
  d.* EXCLUDE (object, kernel),
  d.communication + d.computation - d.kernel AS overlap,
  d.kernel - d.computation AS exposed,
  CASE WHEN u.run IS NULL THEN CAST(d.communication + d.computation - d.kernel AS double) / nullif(d.communication, 0) END AS overlap_ratio
FROM united AS d
LEFT JOIN unread_device AS u ON u.run = d.run
ORDER BY run, node, rank, span
