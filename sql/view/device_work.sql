-- Which kernels, copies and fills ran on the devices?
--
-- One row per kernel (category `kernel` of table `event`), copy (`memcpy`) or fill (`memset`) on a device. `type` is the purpose of the
-- work: `communication` for a kernel that moves data between devices (function `is_collective`), `computation` for every other
-- kernel, `memory` for copies and fills. `tensor_core` depends on the names of kernels too: those that the TensorBoard plugin knows (up to
-- Ampere), and those of later libraries (wmma, gmma, nvjet, flash attention, and matrix products for sm90 and up).
--
-- Excluded: synchronization and annotations that profilers draw on a device, which are not work; rows without a time or a duration;
-- durations below 0 or above seven days, which come from clocks that overflowed.
--
-- column  run          text     id    name of the run
-- column  node         text     id    machine
-- column  rank         bigint   id    global rank of the process; null when unknown
-- column  span         bigint   id    recording of the process within the run, from 0
-- column  device       text     name  device (gpu0)
-- column  stream       bigint   id    stream of the device
-- column  category     text     name  kernel, memcpy or memset
-- column  type         text     name  computation, communication or memory (copies and fills)
-- column  name         text     name  name of the kernel or copy
-- column  ts           bigint   time  start
-- column  dur          bigint   ns    duration
-- column  correlation  bigint   id    ties a call to the work that it launched
-- column  external_id  bigint   id    ties it to the operator that asked for it
-- column  tensor_core  boolean  flag  whether the kernel runs on tensor cores, by its name; null for copies and fills
-- column  args         text     json  everything else the profiler wrote on it
-- column  object       bigint   id    file of the row, see table object
-- column  row          bigint   id    ordinal of the row in its file
--
-- needs   timed_event
-- order   run, ts, object, row
-- source  kineto, nsys

SELECT
  run,
  node,
  rank,
  span,
  device,
  stream,
  category,
  type,
  name,
  ts,
  dur,
  correlation,
  external_id,
  CASE
    WHEN category = 'kernel' THEN regexp_like(
      name,
      'h884|s884|h1688|s1688|c1688|hmma|i8816|16816|xmma_gemm|xmma_sparse_gemm|xmma_implicit_gemm|xmma_sparse_conv'
      || '|xmma_warp_specialized_implicit_gemm|dgrad_1x1_stride_2x2|first_layer_wgrad_kernel|conv1x1|conv2d_c1_k1'
      || '|direct_group|tensorop|wmma|gmma|tcgen05|nvjet|flash_fwd|flash_bwd|^(bmm|gemm|fmha).*[sS]m(90|1[0-9][0-9])'
    )
  END AS tensor_core,
  args,
  object,
  row
FROM timed_event
WHERE category IN ('kernel', 'memcpy', 'memset') AND ts IS NOT NULL
ORDER BY run, ts, object, row
