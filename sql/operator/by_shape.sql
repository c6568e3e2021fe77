-- How much time did each operator take for each shape of its inputs?
--
-- One row per operator name, shapes of the inputs and process rank. The columns are those of `operator.summary`. The shapes are as the
-- profiler wrote them, one list per input. They are null if the profiler did not write them (`record_shapes=True` enables them).
--
-- empty   there are no operators; record a trace of the PyTorch profiler with ProfilerActivity.CPU, or an export of Nsight Systems with emit_nvtx of PyTorch
--
-- column  run           text    id     name of the run
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  name          text    name   name of the operator
-- column  shapes        text    json   shapes of the inputs; null when not recorded
-- column  n             bigint  count  calls
-- column  host_total    bigint  ns     time in its calls, thread by thread
-- column  host_self     bigint  ns     time in it and in nothing inside
-- column  device_total  bigint  ns     device work launched in it and everything inside
-- column  device_self   bigint  ns     device work that it launched itself, not in rows inside
-- column  dur_mean      double  ns     mean
-- column  dur_p50       double  ns     median
-- column  dur_max       bigint  ns     longest
--
-- needs   host_call
-- order   run, node, rank, name, shapes
-- source  kineto, nsys, sagemaker_framework

WITH shaped AS (
  SELECT
    *,
    CASE
      WHEN category = 'operator' THEN coalesce(extract_arg(args, 'Input Dims'), extract_arg(args, 'Input dims'))
    END AS shapes
  FROM host_call
  WHERE category IN ('operator', 'annotation', 'communication', 'loader', 'runtime', 'driver')
),

-- An operator that calls itself with other shapes counts for both.
framed AS (
  SELECT
    *,
    call_frame(CASE WHEN NOT is_launch THEN concat(name, ' ', shapes) END, ts, dur, work) OVER (
      PARTITION BY run, node, rank, span, pid, tid ORDER BY ts, dur DESC, is_launch, object, row
    ) AS frame
  FROM shaped
)

SELECT
  run,
  node,
  rank,
  name,
  shapes,
  count(*) AS n,
  sum(CASE WHEN frame['outermost'] THEN dur ELSE 0 END) AS host_total,
  sum(frame['self_dur']) AS host_self,
  sum(CASE WHEN frame['outermost'] THEN frame['total_work'] ELSE 0 END) AS device_total,
  sum(frame['self_work']) AS device_self,
  avg(dur) AS dur_mean,
  median(dur) AS dur_p50,
  max(dur) AS dur_max
FROM framed
WHERE category = 'operator'
GROUP BY run, node, rank, name, shapes
ORDER BY run, node, rank, name, shapes
