-- How many floating-point operations did the operators perform, how fast, and how fast could the device?
--
-- One row per operator name, data type and process rank. The numbers follow from the shapes of the inputs by PyTorch's own formulas
-- (function `operator_flops`): those of `key_averages()` for `aten::conv2d`, `mm`, `addmm`, `bmm`, `baddbmm`, `mul` and `add`, and those of
-- PyTorch's counter (`torch.utils.flop_counter`) for fused attention (`aten::_scaled_dot_product_...`), its backward pass and
-- `aten::convolution_backward`; the counter ignores the groups of a convolution for the gradient of the weight, this query does not. Other
-- operators have none: `aten::linear` and `matmul` call one of these, and convolutions other than `conv2d`, normalization, activations,
-- optimizers and kernels of compilers are not estimated. A number in the trace has precedence.
--
-- `bytes` is the minimum traffic, in which every input is read once and every result is written once. `flops_per_s` is over the device work
-- that the operators launched, or over their time on the host if they launched none. The peak is that of the device's data sheet (view
-- `device_peak`), for float32 that of TF32 if the process ran a kernel with TF32 in its name. `attainable_flops_per_s` is the roofline
-- (Williams, Waterman and Patterson, 2009): the smaller one of the peak and of `intensity` times the bandwidth of the memory.
--
-- Excluded: operators without an estimate; calls around a call of the same name, as under autocast; tensors with symbolic shapes, which
-- have none in a trace.
--
-- empty   no operator has the shapes of its inputs; record the trace with record_shapes=True
--
-- param   peak              double = null  peak of the device in operations per second; null for that of its data sheet
-- param   memory_bandwidth  double = null  bandwidth of the device's memory in bytes per second; null for that of its data sheet
--
-- column  run                     text    id           name of the run
-- column  node                    text    id           machine
-- column  rank                    bigint  id           global rank of the process; null when unknown
-- column  name                    text    name         name of the operator
-- column  data_type               text    name         data type of the elements; null when unknown
-- column  n                       bigint  count        calls with an estimate
-- column  flops                   double  count        floating-point operations
-- column  bytes                   double  bytes        minimum memory traffic; null when unknown
-- column  host_total              bigint  ns           time in its calls, thread by thread
-- column  device_total            bigint  ns           device work launched in it and everything inside
-- column  flops_per_s             double  per_s        operations per second; `flops` over `device_total`, or over `host_total` where that is 0
-- column  intensity               double  factor       operations per byte: `flops` over `bytes`
-- column  peak_flops_per_s        double  per_s        peak of the device; null when unknown, and for work on the host without param `peak`
-- column  memory_bytes_per_s      double  bytes_per_s  bandwidth of the device's memory; null when unknown
-- column  attainable_flops_per_s  double  per_s        most operations per second with this `intensity`
-- column  utilization             double  ratio        `flops_per_s` over `peak_flops_per_s`
--
-- needs   operator_estimate
-- order   run, node, rank, name, data_type
-- source  kineto

WITH summed AS (
  SELECT
    run,
    node,
    rank,
    name,
    data_type,
    count(*) AS n,
    sum(flops) AS flops,
    CASE WHEN count(bytes) = count(*) THEN sum(bytes) END AS bytes,
    sum(dur) AS host_total,
    sum(device_total) AS device_total,
    coalesce(CAST($peak AS double), max(peak_flops_per_s)) AS peak_flops_per_s,
    coalesce(CAST($memory_bandwidth AS double), max(memory_bytes_per_s)) AS memory_bytes_per_s
  FROM operator_estimate
  GROUP BY run, node, rank, name, data_type
),

rated AS (
  SELECT
    * EXCLUDE (peak_flops_per_s, memory_bytes_per_s),
    flops * 1000000000 / nullif(CASE WHEN device_total > 0 THEN device_total ELSE host_total END, 0) AS flops_per_s,
    flops / bytes AS intensity,
    peak_flops_per_s,
    memory_bytes_per_s
  FROM summed
)

SELECT
  *,
  -- Null if one of them is unknown; `least` ignores nulls.
  CASE
    WHEN peak_flops_per_s + memory_bytes_per_s * intensity IS NOT NULL
      THEN least(peak_flops_per_s, memory_bytes_per_s * intensity)
  END AS attainable_flops_per_s,
  flops_per_s / peak_flops_per_s AS utilization
FROM rated
ORDER BY run, node, rank, name, data_type
