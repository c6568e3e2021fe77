-- How long do the steps of a run take, by mode?
--
-- The duration of a step is the median over the ranks, each measured with one clock; `step.duration_by_rank` has each rank separately. A step number that occurs again in another recording or mode counts as another step. Percentiles are exact, with linear
-- interpolation between the closest values.
--
-- Excluded: steps that a recording cut short. The first step of a run often includes compilation and warm-up and is not excluded: compare
-- mean and median. smdebug's `get_step_statistics` uses the span from the first start to the last end over
-- all ranks, which contains the skew of their clocks.
--
-- empty   there are no steps; SageMaker's hook records steps, and in a trace `prof.step()` or your step_annotation marks them
--
-- column  run       text    id     name of the run
-- column  mode      text    name   train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  n         bigint  count  steps
-- column  dur_mean  double  ns     mean
-- column  dur_min   bigint  ns     shortest
-- column  dur_p50   double  ns     median
-- column  dur_p95   double  ns     95th percentile
-- column  dur_p99   double  ns     99th percentile
-- column  dur_max   bigint  ns     longest
--
-- needs   step_span
-- order   run, mode
-- source  sagemaker_framework, kineto, nsys

SELECT
  run,
  mode,
  count(*) AS n,
  avg(dur) AS dur_mean,
  min(dur) AS dur_min,
  median(dur) AS dur_p50,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY dur) AS dur_p95,
  percentile_cont(0.99) WITHIN GROUP (ORDER BY dur) AS dur_p99,
  max(dur) AS dur_max
FROM step_span
WHERE dur IS NOT NULL AND complete IS NOT FALSE
GROUP BY run, mode
ORDER BY run, mode
