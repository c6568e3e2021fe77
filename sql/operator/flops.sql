-- How many floating-point operations did the operators perform, and how fast?
--
-- One row per operator name and process rank. The numbers follow from the shapes of the inputs by PyTorch's own formulas (function
-- `operator_flops`): those of `key_averages()` for `aten::conv2d`, `mm`, `addmm`, `bmm`, `baddbmm`, `mul` and `add`, and those of PyTorch's
-- counter for fused attention (`aten::_scaled_dot_product_...`). Other operators have none: `aten::linear` and `matmul` call one of these,
-- and backward passes of attention, convolutions other than `conv2d`, normalization and activations are not estimated. A number in the
-- trace has precedence. The rate is over the device work that the operators launched, or over their time on the host if they launched none.
--
-- Excluded: operators without an estimate; calls within a call of the same name; tensors with symbolic shapes, which have none in a trace.
--
-- empty   no operator has the shapes of its inputs; record the trace with record_shapes=True
--
-- column  run           text    id     name of the run
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  name          text    name   name of the operator
-- column  n             bigint  count  calls with an estimate
-- column  flops         double  count  floating-point operations
-- column  host_total    bigint  ns     time in its calls, thread by thread
-- column  device_total  bigint  ns     device work launched in it and everything inside
-- column  flops_per_s   double  per_s  `flops` over `device_total`, or over `host_total` where that is 0
--
-- needs   host_frame
-- order   run, node, rank, name
-- source  kineto

WITH estimated AS (
  SELECT *, coalesce(try_cast(extract_arg(args, 'flops') AS double), operator_flops(name, args)) AS flops
  FROM host_frame
  WHERE category = 'operator' AND outermost
),

summed AS (
  SELECT
    run,
    node,
    rank,
    name,
    count(*) AS n,
    sum(flops) AS flops,
    sum(dur) AS host_total,
    sum(device_total) AS device_total
  FROM estimated
  WHERE flops > 0
  GROUP BY run, node, rank, name
)

SELECT
  *,
  flops * 1000000000 / nullif(CASE WHEN device_total > 0 THEN device_total ELSE host_total END, 0) AS flops_per_s
FROM summed
ORDER BY run, node, rank, name
