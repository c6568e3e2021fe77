-- How long were the waits for batches in each epoch?
--
-- One row per pass of a loop over its data. A new pass begins where the epoch changes, where a recording begins, and where the process
-- makes a new iterator. The numbers are those of the DataLoaderProfiler of PyTorch's tutorial, but for the waits only. The tutorial has a
-- clock at the top of the loop, which also includes the work on the previous batch (`loader.jitter`, part `interval`).
--
-- The standard deviation has the divisor n-1 and is null for one batch.
--
-- empty   no call for a batch was recorded; record calls with `tracelake record`, or ingest timings of your own loop, DALI's Loader Evaluator, SageMaker's data loader profiling or a trace
--
-- column  run            text    id     name of the run
-- column  node           text    id     machine
-- column  rank           bigint  id     global rank of the process; null when unknown
-- column  pid            bigint  id     operating system process id; null when unknown
-- column  loader         text    name   name of the loader or iterator; null when unknown
-- column  object         bigint  id     file of the row, see table object; null where calls have times
-- column  variant        text    name   real or ideal, of tools that time a replay; else null
-- column  pass           bigint  id     pass of the loop, from 0
-- column  epoch          bigint  id     epoch as recorded; null when unknown
-- column  batches        bigint  count  batches
-- column  load           bigint  ns     time waited for batches
-- column  load_mean      double  ns     mean wait
-- column  load_std       double  ns     standard deviation of the waits, divisor n-1
-- column  load_min       bigint  ns     shortest wait
-- column  load_max       bigint  ns     longest wait
-- column  load_first     bigint  ns     wait for the first batch; null if it was excluded as corrupt
-- column  compute        bigint  ns     time of the work on the batches; of those with a known time; null when unknown
-- column  loader_ratio   double  ratio  share of loop time spent waiting for data
-- column  batches_per_s  double  per_s  batches over the time of the loop; null when unknown
--
-- needs   loader_pass
-- order   run, node, rank, pid, loader, object, pass
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder

SELECT
  * EXCLUDE (measure, has_ended, steps, load, total, load_rest, total_rest, steps_rest, waited),
  waited AS load,
  CASE WHEN variant IS DISTINCT FROM 'ideal' THEN CAST(load AS double) / nullif(total, 0) END AS loader_ratio,
  1e9 * steps / nullif(total, 0) AS batches_per_s
FROM loader_pass
ORDER BY run, node, rank, pid, loader, object, pass
