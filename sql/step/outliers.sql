-- Which steps took much longer than usual?
--
-- A step is an outlier when its span over all ranks is at least `factor` times the median of its run and mode. A step
-- of exactly that length counts.
--
-- Left out: steps that a recording cut short.
--
-- empty   no step took so much longer than usual, or there are no steps (`step.duration` tells)
--
-- param   factor    double = 2.0   how many times the median a step must last
-- param   start     bigint = null  only steps that begin from then on, in ns since the Unix epoch; null for all
-- param   end       bigint = null  only steps that begin before, in ns since the Unix epoch; null for all
--
-- column  run       text    id      run the step belongs to
-- column  span      bigint  id      recording within the run, from 0
-- column  mode      text    name    train, eval, predict or global; null when the profiler did not say
-- column  step      bigint  id      step number as the profiler wrote it
-- column  ts        bigint  time    earliest start over the ranks
-- column  dur       bigint  ns      from there to the latest end over the ranks
-- column  dur_p50   double  ns      median of its run and mode
-- column  relative  double  factor  `dur` over `dur_p50`
--
-- needs   step_span
-- order   run, ts, mode, span, step
-- source  sagemaker_framework, kineto, nsys

WITH compared AS (
  SELECT run, span, mode, step, ts, dur, median(dur) OVER (PARTITION BY run, mode) AS dur_p50
  FROM step_span
  WHERE dur IS NOT NULL AND complete IS NOT FALSE
)

SELECT run, span, mode, step, ts, dur, dur_p50, dur / dur_p50 AS relative
FROM compared
WHERE
  dur_p50 > 0
  AND dur >= $factor * dur_p50
  AND (ts >= $start OR $start IS NULL)
  AND (ts < $end OR $end IS NULL)
ORDER BY run, ts, mode, span, step
