-- Which steps took much longer than usual?
--
-- A step is an outlier when its duration, the median over the ranks, is at least `factor` times the median of its run and mode.
--
-- Excluded: steps that a recording cut short.
--
-- empty   no step took at least `factor` times the median, or there are no steps (`step.duration` shows which)
--
-- param   factor  double = 2.0           minimum duration of an outlier, as a multiple of the median
-- param   start   bigint in time = null  only steps that begin at this time or later, in ns, like `ts`; null for all
-- param   end     bigint in time = null  only steps that begin before this time, in ns, like `ts`; null for all
--
-- column  run       text    id      name of the run
-- column  span      bigint  id      recording of the process within the run, from 0
-- column  mode      text    name    train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  step      bigint  id      step number as the profiler wrote it
-- column  ts        bigint  time    earliest start over the ranks
-- column  dur       bigint  ns      median duration over the ranks
-- column  dur_p50   double  ns      median; of its run and mode
-- column  relative  double  factor  `dur` over `dur_p50`
--
-- needs   step_span
-- order   run, ts, mode, span, step
-- source  sagemaker_framework, kineto, nsys

SELECT run, span, mode, step, ts, dur, median(dur) OVER same_mode AS dur_p50, dur / median(dur) OVER same_mode AS relative
FROM step_span
WHERE dur IS NOT NULL AND complete IS NOT FALSE
WINDOW same_mode AS (PARTITION BY run, mode)
QUALIFY
  dur_p50 > 0
  AND dur >= $factor * dur_p50
  AND (ts >= $start OR $start IS NULL)
  AND (ts < $end OR $end IS NULL)
ORDER BY run, ts, mode, span, step
