-- How fast did collectives move data, as algorithm and bus bandwidth?
--
-- One row per operation, data type, process group and size of each process rank. The definitions are those of nccl-tests
-- (`doc/PERFORMANCE.md`): `algorithm_bytes_per_s` is `bytes` over the time. `bus_bytes_per_s` is that times 2 (n - 1) / n for all-reduce,
-- times (n - 1) / n for all-gather, reduce-scatter, all-to-all, gather and scatter, and times 1 for broadcast, reduce, send and receive,
-- where n is `group_size`. So it compares with the speed of the links, whatever the number of ranks. `bytes` is the whole buffer: the
-- input of an all-reduce, reduce-scatter, all-to-all or broadcast, and the output of an all-gather.
--
-- The time of a collective is its transfer (view `collective`): the shortest duration over the ranks, without waiting for the last one. For
-- collectives that no other rank recorded (`matched` is smaller than `n`) it is the duration, which includes waiting. The bandwidth follows
-- from the median time. Only large sizes show the speed of the links; small ones show the latency.
--
-- The sizes are those that PyTorch writes on kernels of NCCL or on `record_param_comms`, and the shapes of the inputs of gloo. Kernels of
-- other libraries have none.
--
-- Excluded: barriers.
--
-- empty   there are no collectives; a single process has none, and those of NCCL are kernels, recorded with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU)
--
-- column  run                    text    id           name of the run
-- column  node                   text    id           machine
-- column  rank                   bigint  id           global rank of the process; null when unknown
-- column  operation              text    name         all_reduce, all_gather, reduce_scatter, ...; null when unknown
-- column  process_group          text    name         name of the process group; null where the profiler wrote none
-- column  group_size             bigint  count        ranks of the group; null when unknown
-- column  data_type              text    name         data type of the elements; null when unknown
-- column  bytes                  bigint  bytes        size by the definition above; null when the profiler wrote none
-- column  n                      bigint  count        how often it ran
-- column  matched                bigint  count        those that were found on another rank too
-- column  time_p50               double  ns           median time
-- column  time_min               bigint  ns           shortest time
-- column  algorithm_bytes_per_s  double  bytes_per_s  `bytes` over `time_p50`
-- column  bus_bytes_per_s        double  bytes_per_s  that times the factor of the operation; null for other operations, and in a group of one
-- column  bus_max_bytes_per_s    double  bytes_per_s  the same over `time_min`
--
-- needs   collective_transfer
-- order   run, node, rank, operation, process_group, bytes, data_type, group_size
-- source  kineto, nsys

SELECT
  run,
  node,
  rank,
  operation,
  process_group,
  group_size,
  data_type,
  bytes,
  count(*) AS n,
  count(collective) AS matched,
  median(CAST(time AS double)) AS time_p50,
  min(time) AS time_min,
  bytes * 1000000000.0 / nullif(median(CAST(time AS double)), 0) AS algorithm_bytes_per_s,
  bytes * 1000000000.0 / nullif(median(CAST(time AS double)), 0) * max(bus_factor) AS bus_bytes_per_s,
  bytes * 1000000000.0 / nullif(min(time), 0) * max(bus_factor) AS bus_max_bytes_per_s
FROM collective_transfer
WHERE operation IS DISTINCT FROM 'barrier'
GROUP BY run, node, rank, operation, process_group, group_size, data_type, bytes
ORDER BY run, node, rank, operation, process_group, bytes, data_type, group_size
