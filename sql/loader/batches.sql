-- How did waits and work go from batch to batch?
--
-- Batches of a loop in the order in which they came, in at most `bins` bins of equally many; a loop of no more batches has one bin for each.
-- A bin ends early where a pass does, so that there may be a few more. `load_so_far` is the mean wait from the first batch of the loop to the end
-- of the bin: what a monitor prints that never resets its counters, and what hides a loader that slows down late.
--
-- empty   no call for a batch was recorded: timings of your own loop, DALI's Loader Evaluator, SageMaker's data loader profiling and traces have them
--
-- param   bins  bigint >= 1 = 500  most bins of a loop
--
-- column  run           text    id     run the loop belongs to
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  pid           bigint  id     operating system process id; null when unknown
-- column  loader        text    name   name of the loader or iterator; null when unknown
-- column  object        bigint  id     file that is a loop of its own; null where calls have times
-- column  variant       text    name   real or ideal, of tools that time a replay; else null
-- column  pass          bigint  id     pass of the loop, from 0
-- column  epoch         bigint  id     epoch as recorded; null when unknown
-- column  place         bigint  id     place of the first batch of the bin in its loop, from 0
-- column  n             bigint  count  batches in the bin
-- column  ts            bigint  time   start of the first wait; null when no time was kept
-- column  load_mean     double  ns     mean wait
-- column  load_min      bigint  ns     shortest wait
-- column  load_max      bigint  ns     longest wait
-- column  compute_mean  double  ns     mean work on a batch; null when unknown
-- column  load_so_far   double  ns     mean wait up to the end of the bin, over all passes of the loop
--
-- needs   loader_batch
-- order   run, node, rank, pid, loader, object, place
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH counted AS (
  SELECT
    *,
    count(*) OVER (PARTITION BY run, node, rank, pid, loader, object, variant) AS batches,
    avg(load) OVER (
      PARTITION BY run, node, rank, pid, loader, object, variant
      ORDER BY place
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS load_so_far
  FROM loader_batch
),

binned AS (
  SELECT *, place / ((batches + $bins - 1) / $bins) AS bin
  FROM counted
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
  min(place) AS place,
  count(*) AS n,
  min(ts) AS ts,
  avg(load) AS load_mean,
  min(load) AS load_min,
  max(load) AS load_max,
  avg(compute) AS compute_mean,
  last_value(load_so_far ORDER BY place) AS load_so_far
FROM binned
GROUP BY run, node, rank, pid, loader, object, variant, pass, bin
ORDER BY run, node, rank, pid, loader, object, place
