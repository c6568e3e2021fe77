-- How did the waits for batches and the work on them change from batch to batch?
--
-- One row per bin of consecutive batches of a loop. A loop with more than `bins` batches gets at most `bins` bins, with equally many
-- batches in each. A shorter loop gets one bin per batch. A bin ends early at the end of a pass, so there may be a few more bins.
-- `load_so_far` is the mean wait from the first batch of the loop to the end of the bin. A monitor that never resets its counters prints
-- this value, which hides a loader that slows down late.
--
-- empty   no call for a batch was recorded; record calls with `tracelake record`, or ingest timings of your own loop, DALI's Loader Evaluator, SageMaker's data loader profiling or a trace
--
-- param   bins  bigint in 1.. = 500  maximum number of bins of a loop
--
-- column  run           text    id     name of the run
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  pid           bigint  id     operating system process id; null when unknown
-- column  loader        text    name   name of the loader or iterator; null when unknown
-- column  object        bigint  id     file of the row, see table object; null where calls have times
-- column  variant       text    name   real or ideal, of tools that time a replay; else null
-- column  pass          bigint  id     pass of the loop, from 0
-- column  epoch         bigint  id     epoch as recorded; null when unknown
-- column  position      bigint  id     position in its group, from 0
-- column  n             bigint  count  batches in the bin
-- column  ts            bigint  time   start of the first wait; null when no time was recorded
-- column  load_mean     double  ns     mean wait
-- column  load_min      bigint  ns     shortest wait
-- column  load_max      bigint  ns     longest wait
-- column  compute_mean  double  ns     mean work on a batch; null when unknown
-- column  load_so_far   double  ns     mean wait up to the end of the bin, over all passes of the loop
--
-- needs   loader_batch
-- order   run, node, rank, pid, loader, object, position
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH binned AS (
  SELECT
    *,
    position / ((count(*) OVER (PARTITION BY run, node, rank, pid, loader, object, variant) + $bins - 1) / $bins) AS bin,
    avg(load) OVER (
      PARTITION BY run, node, rank, pid, loader, object, variant
      ORDER BY position
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS load_so_far
  FROM loader_batch
)

SELECT
  run,
  node,
  rank,
  pid,
  loader,
  object,
  variant,
  pass,
  min(epoch) AS epoch,
  min(position) AS position,
  count(*) AS n,
  min(ts) AS ts,
  avg(load) AS load_mean,
  min(load) AS load_min,
  max(load) AS load_max,
  avg(compute) AS compute_mean,
  last_value(load_so_far ORDER BY position) AS load_so_far
FROM binned
GROUP BY run, node, rank, pid, loader, object, variant, pass, bin
ORDER BY run, node, rank, pid, loader, object, position
