-- How long did the training process wait for its batches?
--
-- One row per process rank. A wait is one call for the next batch. `wait` is the time in which at least one call was waiting: calls that
-- overlap count once. `loader.share` has the share of the loop. Percentiles are exact, with linear interpolation between the closest
-- values.
--
-- Excluded: waits of an ideal replay. `wait` is null when the profile recorded no times.
--
-- empty   no call for a batch was recorded; SageMaker's data loader profiling and `tracelake record` record calls, and traces show PyTorch's DataLoader
--
-- column  run       text    id     name of the run
-- column  node      text    id     machine
-- column  rank      bigint  id     global rank of the process; null when unknown
-- column  n         bigint  count  calls
-- column  wait      bigint  ns     time in which at least one call was waiting
-- column  dur_mean  double  ns     mean
-- column  dur_min   bigint  ns     shortest
-- column  dur_p50   double  ns     median
-- column  dur_p95   double  ns     95th percentile
-- column  dur_p99   double  ns     99th percentile
-- column  dur_max   bigint  ns     longest
--
-- needs   next_call
-- order   run, node, rank
-- source  sagemaker_framework, kineto, nsys, recorder, dali_loader_evaluator, loader_timings

SELECT
  run,
  node,
  rank,
  count(*) AS n,
  CASE WHEN count(ts) > 0 THEN union_length(ts, dur) END AS wait,
  avg(dur) AS dur_mean,
  min(dur) AS dur_min,
  median(dur) AS dur_p50,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY dur) AS dur_p95,
  percentile_cont(0.99) WITHIN GROUP (ORDER BY dur) AS dur_p99,
  max(dur) AS dur_max
FROM next_call
GROUP BY run, node, rank
ORDER BY run, node, rank
