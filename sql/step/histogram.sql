-- How are the durations of the steps distributed, by mode?
--
-- `bins` bins of equal width cover the durations from the shortest step to twice the median, or to the longest step if that is shorter.
-- Longer steps are together in one additional row, which has `bin` = `bins`. Otherwise a single slow step would push all others into the
-- first bin. A bin includes its lower edge but not its upper edge. The last bin includes both edges, and the additional row only its upper
-- edge. The duration of a step is its span over all ranks.
--
-- Excluded: empty bins, and steps that a recording cut short.
--
-- empty   there are no steps; SageMaker's hook records steps, and in a trace `prof.step()` or your step_annotation marks them
--
-- param   bins  bigint in 1.. = 50  number of bins
--
-- column  run        text     id     name of the run
-- column  mode       text     name   train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  bin        bigint   id     number of the bin, from 0
-- column  dur_from   bigint   ns     lower edge of the bin
-- column  dur_to     bigint   ns     upper edge of the bin
-- column  n          bigint   count  steps in it
-- column  is_longer  boolean  flag   whether it has all steps longer than twice the median
--
-- needs   step_span
-- order   run, mode, bin
-- source  sagemaker_framework, kineto, nsys

WITH measured AS (
  SELECT
    run,
    mode,
    dur,
    min(dur) OVER (PARTITION BY run, mode) AS shortest,
    max(dur) OVER (PARTITION BY run, mode) AS longest,
    TRY_CAST(2 * median(dur) OVER (PARTITION BY run, mode) AS bigint) AS usual
  FROM step_span
  WHERE dur IS NOT NULL AND complete IS NOT FALSE
),

scaled AS (
  SELECT run, mode, dur, shortest, longest, greatest(least(usual, longest), shortest + 1) AS upper, greatest($bins, 1) AS bins
  FROM measured
),

sized AS (
  SELECT run, mode, dur, shortest, longest, upper, bins, greatest((upper - shortest) / bins, 1) AS width
  FROM scaled
),

binned AS (
  SELECT *, CASE WHEN dur <= upper THEN least((dur - shortest) / width, bins - 1) ELSE bins END AS bin
  FROM sized
)

SELECT
  run,
  mode,
  bin,
  CASE WHEN bin < bins THEN shortest + bin * width ELSE upper END AS dur_from,
  CASE WHEN bin < bins - 1 THEN shortest + (bin + 1) * width WHEN bin < bins THEN upper ELSE longest END AS dur_to,
  count(*) AS n,
  bin = bins AS is_longer
FROM binned
GROUP BY run, mode, bin, shortest, longest, upper, bins, width
ORDER BY run, mode, bin
