-- How long did the marked ranges of the program last, on the host and on the device?
--
-- One row per name, device, process rank and domain. An annotation is a range that the program or PyTorch marked: `record_function`, ranges
-- of NVTX, optimizer steps, collectives, calls of a data loader and step marks. On the host it lasts as long as the marked code. On a
-- device, the profiler of PyTorch draws it from the first to the last kernel launched inside. For recordings of Nsight Systems,
-- `annotation.gpu_projection` computes this.
--
-- `dur_sum` adds up durations, so parallel or nested ranges count more than once. `busy` is the time in which at least one of that name
-- ran. Percentiles are exact, with linear interpolation between the closest values.
--
-- The numbers are those of `get_gpu_user_annotation_breakdown` of HTA with all its steps, and of the report `nvtx_sum` of `nsys stats`.
-- That report writes the domain in front of the name of the range.
--
-- Excluded: operators, which PyTorch also marks with NVTX (`operator.summary`), and ranges that were never closed.
--
-- empty   there are no annotations; mark code with `torch.profiler.record_function` for a trace, or with ranges of NVTX for an export of Nsight Systems
--
-- column  run       text    id     name of the run
-- column  node      text    id     machine
-- column  rank      bigint  id     global rank of the process; null when unknown
-- column  device    text    name   cpu, or the device it is drawn on (gpu0)
-- column  category  text    name   annotation, step, loader or communication
-- column  name      text    name   name of the annotation
-- column  n         bigint  count  how often it was marked
-- column  dur_sum   bigint  ns     sum of the durations
-- column  busy      bigint  ns     time in which at least one ran
-- column  dur_mean  double  ns     mean
-- column  dur_std   double  ns     standard deviation; null for a single one
-- column  dur_min   bigint  ns     shortest
-- column  dur_p50   double  ns     median
-- column  dur_p95   double  ns     95th percentile
-- column  dur_p99   double  ns     99th percentile
-- column  dur_max   bigint  ns     longest
-- column  domain    text    name   domain of NVTX it was marked in; null for none, and outside of NVTX
--
-- needs   event
-- order   run, node, rank, device, category, name, domain
-- source  kineto, nsys, sagemaker_framework

SELECT
  run,
  node,
  rank,
  device,
  category,
  name,
  count(*) AS n,
  sum(dur) AS dur_sum,
  union_length(ts, dur) AS busy,
  avg(dur) AS dur_mean,
  stddev(dur) AS dur_std,
  min(dur) AS dur_min,
  median(dur) AS dur_p50,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY dur) AS dur_p95,
  percentile_cont(0.99) WITHIN GROUP (ORDER BY dur) AS dur_p99,
  max(dur) AS dur_max,
  extract_arg(args, 'domain') AS domain
FROM event
WHERE category IN ('annotation', 'step', 'loader', 'communication') AND ts IS NOT NULL AND dur >= 0
GROUP BY run, node, rank, device, category, name, extract_arg(args, 'domain')
ORDER BY run, node, rank, device, category, name, domain
