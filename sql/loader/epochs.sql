-- How did the waits for batches go, epoch by epoch?
--
-- One row per pass of a loop over its data: where the epoch changes, a recording begins or the process makes a new iterator, another begins.
-- These are the numbers of the tutorial's DataLoaderProfiler, for the waits alone: a clock at the top of the loop, as it has, adds the work on
-- the batch before (`loader.jitter`, part `interval`).
--
-- The standard deviation has the divisor n-1 and is null for one batch.
--
-- empty   no call for a batch was recorded: timings of your own loop, DALI's Loader Evaluator, SageMaker's data loader profiling and traces have them
--
-- column  run            text    id     run the loop belongs to
-- column  node           text    id     machine
-- column  rank           bigint  id     global rank of the process; null when unknown
-- column  pid            bigint  id     operating system process id; null when unknown
-- column  loader         text    name   name of the loader or iterator; null when unknown
-- column  object         bigint  id     file that is a loop of its own; null where calls have times
-- column  variant        text    name   real or ideal, of tools that time a replay; else null
-- column  pass           bigint  id     pass of the loop, from 0
-- column  epoch          bigint  id     epoch as recorded; null when unknown
-- column  batches        bigint  count  batches
-- column  load           bigint  ns     sum of the waits
-- column  load_mean      double  ns     mean
-- column  load_std       double  ns     standard deviation of the sample
-- column  load_min       bigint  ns     shortest
-- column  load_max       bigint  ns     longest
-- column  load_first     bigint  ns     wait for the first batch; null if it was left out as damaged
-- column  compute        bigint  ns     work on the batches of which it is known; null when unknown
-- column  load_ratio     double  ratio  share of waiting, as in `loader.share`
-- column  batches_per_s  double  per_s  batches over the time of the steps or of the pass; null when unknown
--
-- needs   loader_pass
-- order   run, node, rank, pid, loader, object, pass
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder

SELECT
  run,
  node,
  rank,
  pid,
  loader,
  object,
  variant,
  pass,
  epoch,
  batches,
  waited AS load,
  load_mean,
  load_std,
  load_min,
  load_max,
  load_first,
  compute,
  CASE WHEN variant IS DISTINCT FROM 'ideal' THEN CAST(load AS double) / nullif(total, 0) END AS load_ratio,
  1e9 * steps / nullif(total, 0) AS batches_per_s
FROM loader_pass
ORDER BY run, node, rank, pid, loader, object, pass
