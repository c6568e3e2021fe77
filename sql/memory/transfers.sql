-- How much memory was copied and filled, in which direction, in which sizes, and how fast?
--
-- One row per device and kind of a process rank. With `sizes`, each class of size has its own row. A kind is a direction (`Memcpy HtoD`
-- from host to device, `Memcpy DtoH`, `Memcpy DtoD`, `Memcpy PtoP`, ...; `Memcpy Unknown` if it was not recorded), `Memset`, or a migration
-- of unified memory that no call requested (`Memcpy HtoD (Unified)`). Apart from migrations, kinds are the directions of
-- `memory.bandwidth`. The class of a size is the smallest power of 4 that is not below it. For example, 1048576 is the class of copies of
-- more than 256 KiB and up to 1 MiB.
--
-- `dur_sum` adds up durations, so parallel copies count more than once. `busy` is the time in which at least one ran. `mean_bytes_per_s` is
-- `bytes` divided by the time in which copies of known size ran. `sizes` shows how much many small copies cost. Counts, bytes and `dur_sum`
-- of the classes add up to those of the kind, but `busy` may not. Recordings of a process are taken together.
--
-- The numbers are those of the reports `cuda_gpu_mem_time_sum` and `cuda_gpu_mem_size_sum` of `nsys stats`. The names of copies in
-- `kernel.summary` show whether the memory of the host was pinned.
--
-- empty   no copy or fill of a device was recorded; record a trace with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU), or an export of Nsight Systems with --trace=cuda
--
-- param   sizes  boolean = false  whether each class of size has its own row
--
-- column  run               text    id           name of the run
-- column  node              text    id           machine
-- column  rank              bigint  id           global rank of the process; null when unknown
-- column  device            text    name         device (gpu0)
-- column  kind              text    name         direction of the copies, or Memset
-- column  size_bytes        bigint  bytes        maximum size of the class; null for all sizes together, and for unknown ones
-- column  n                 bigint  count        copies or fills
-- column  bytes             bigint  bytes        sum of their sizes; null where none is on record
-- column  mean_bytes        double  bytes        mean size
-- column  min_bytes         bigint  bytes        minimum size
-- column  p50_bytes         double  bytes        median size
-- column  max_bytes         bigint  bytes        maximum size
-- column  dur_sum           bigint  ns           sum of the durations
-- column  busy              bigint  ns           time in which at least one ran
-- column  dur_mean          double  ns           mean
-- column  dur_min           bigint  ns           shortest
-- column  dur_p50           double  ns           median
-- column  dur_max           bigint  ns           longest
-- column  mean_bytes_per_s  double  bytes_per_s  mean bandwidth in the time in which at least one ran
--
-- needs   device_work
-- order   run, node, rank, device, kind, size_bytes
-- source  kineto, nsys

WITH labeled AS (
  SELECT
    *,
    CASE
      WHEN category = 'memset' THEN 'Memset'
      WHEN name LIKE 'Memcpy %(Unified)' THEN name
      WHEN starts_with(name, 'Memcpy ') THEN split_part(name, ' (', 1)
      ELSE coalesce('Memcpy ' || nullif(extract_arg(args, 'kind'), 'UNKNOWN'), 'Memcpy Unknown')
    END AS kind,
    try_cast(extract_arg(args, 'bytes') AS bigint) AS bytes
  FROM device_work
  WHERE category IN ('memcpy', 'memset')
),

sized AS (
  SELECT *, CASE WHEN $sizes THEN TRY_CAST(power(4.0, ceil(log2(CAST(bytes AS double)) / 2)) AS bigint) END AS size_bytes
  FROM labeled
),

summed AS (
  SELECT
    run,
    node,
    rank,
    device,
    kind,
    size_bytes,
    count(*) AS n,
    sum(bytes) AS bytes,
    avg(bytes) AS mean_bytes,
    min(bytes) AS min_bytes,
    median(bytes) AS p50_bytes,
    max(bytes) AS max_bytes,
    sum(dur) AS dur_sum,
    union_length(ts, dur) AS busy,
    avg(dur) AS dur_mean,
    min(dur) AS dur_min,
    median(dur) AS dur_p50,
    max(dur) AS dur_max,
    union_length(ts, dur) FILTER (WHERE bytes IS NOT NULL) AS busy_known
  FROM sized
  GROUP BY run, node, rank, device, kind, size_bytes
)

SELECT * EXCLUDE (busy_known), CAST(bytes AS double) * 1000000000 / nullif(busy_known, 0) AS mean_bytes_per_s
FROM summed
ORDER BY run, node, rank, device, kind, size_bytes
