-- How much time passes from one batch to the next?
--
-- The time between the starts of two consecutive calls for a batch in one process: the wait for the batch and the work on it. It shows the
-- pace of the input side of the loop and needs no step marks. Breaks between epochs are included. Percentiles are exact, with linear
-- interpolation between the closest values.
--
-- Excluded: the first call of each process, which ends no interval, and calls without a time.
--
-- empty   no call for a batch was recorded; SageMaker's data loader profiling and `tracelake record` record calls, and traces show PyTorch's DataLoader
--
-- column  run       text    id     name of the run
-- column  node      text    id     machine
-- column  rank      bigint  id     global rank of the process; null when unknown
-- column  pid       bigint  id     operating system process id
-- column  n         bigint  count  intervals
-- column  dur_mean  double  ns     mean
-- column  dur_min   bigint  ns     shortest
-- column  dur_p50   double  ns     median
-- column  dur_p95   double  ns     95th percentile
-- column  dur_p99   double  ns     99th percentile
-- column  dur_max   bigint  ns     longest
--
-- needs   batch_interval
-- order   run, node, rank, pid
-- source  sagemaker_framework, kineto, nsys, recorder

SELECT
  run,
  node,
  rank,
  pid,
  count(*) AS n,
  avg(dur) AS dur_mean,
  min(dur) AS dur_min,
  median(dur) AS dur_p50,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY dur) AS dur_p95,
  percentile_cont(0.99) WITHIN GROUP (ORDER BY dur) AS dur_p99,
  max(dur) AS dur_max
FROM batch_interval
GROUP BY run, node, rank, pid
ORDER BY run, node, rank, pid
