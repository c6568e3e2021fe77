-- How much of the communication was hidden behind computation?
--
-- One row per recording of a process, over all its devices and streams together. `communication` is the time in which at least one
-- communication kernel ran. `overlap` is the part of it in which a computing kernel ran too. `exposed` is the rest, for which the process
-- waited. Copies and fills do not count on either side. Collectives that run on the host (gloo) are not kernels; `step.breakdown` has them.
--
-- `overlap_ratio` is that of HTA's `get_comm_comp_overlap`. It is null without communication. A recording without kernels has no row.
--
-- empty   no device work with known times was recorded; record a trace with ProfilerActivity.CUDA, or an export of Nsight Systems with --trace=cuda
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
-- needs   device_work
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
  * EXCLUDE (object, kernel),
  communication + computation - kernel AS overlap,
  kernel - computation AS exposed,
  CAST(communication + computation - kernel AS double) / nullif(communication, 0) AS overlap_ratio
FROM united
ORDER BY run, node, rank, span
