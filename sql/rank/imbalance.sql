-- How unevenly is the work of a step distributed over the ranks?
--
-- One row per run and part of a step: the step itself (`step`) and the eight roles of `step.breakdown`, which divide every moment of it.
-- Each rank counts with the mean over its steps, all recordings together. `imbalance` is the maximum of these means divided by their mean.
-- A value of 1 is even. A value of 1.5 means that the busiest rank takes 50 % more than the average. All others may have to wait for it.
-- Ranks that wait for a straggler have more `communication`. The straggler has more of the part that made it late.
--
-- Steps are those of `step.breakdown`, with the same `extended`. Runs of a single rank have no row.
--
-- Excluded: steps that a recording cut short, and processes without a rank.
--
-- empty   no two ranks were recorded; ingest the traces of all ranks as one run, a folder with one trace for each rank; set ranks that the files do not show with --rank-from
--
-- param   extended  boolean = false  whether a step lasts until the device work that it launched has ended
--
-- column  run        text    id      name of the run
-- column  part       text    name    step, kernel, memcpy, memset, communication, runtime, loader, cpu or other
-- column  ranks      bigint  count   ranks
-- column  dur_mean   double  ns      mean; over the means of the ranks
-- column  dur_std    double  ns      standard deviation; over the means of the ranks
-- column  dur_min    double  ns      shortest; of the means of the ranks
-- column  min_rank   bigint  id      rank that has it; of several the lowest
-- column  dur_max    double  ns      longest; of the means of the ranks
-- column  max_rank   bigint  id      rank that has it; of several the lowest
-- column  imbalance  double  factor  `dur_max` over `dur_mean`; null where no rank has any
-- column  spread     double  ns      `dur_max` less `dur_min`
--
-- needs   step_role
-- order   run, spread desc, part
-- source  kineto, nsys, sagemaker_framework

WITH means AS (
  SELECT
    run,
    rank,
    avg(dur) AS step,
    avg(kernel) AS kernel,
    avg(memcpy) AS memcpy,
    avg(memset) AS memset,
    avg(communication) AS communication,
    avg(runtime) AS runtime,
    avg(exposed_loader) AS loader,
    avg(cpu) AS cpu,
    avg(other) AS other
  FROM step_role
  WHERE extended = $extended AND complete IS NOT FALSE AND rank IS NOT NULL
  GROUP BY run, rank
),

-- One row for each part of each rank.
parted AS (
  SELECT
    run,
    rank,
    unnest(['step', 'kernel', 'memcpy', 'memset', 'communication', 'runtime', 'loader', 'cpu', 'other']) AS part,
    unnest([step, kernel, memcpy, memset, communication, runtime, loader, cpu, other]) AS value
  FROM means
)

SELECT
  run,
  part,
  count(*) AS ranks,
  avg(value) AS dur_mean,
  stddev(value) AS dur_std,
  min(value) AS dur_min,
  first_value(rank ORDER BY value, rank) AS min_rank,
  max(value) AS dur_max,
  first_value(rank ORDER BY value DESC, rank) AS max_rank,
  max(value) / nullif(avg(value), 0) AS imbalance,
  max(value) - min(value) AS spread
FROM parted
GROUP BY run, part
HAVING count(*) > 1
ORDER BY run, spread DESC, part
