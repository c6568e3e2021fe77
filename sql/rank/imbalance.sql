-- How unevenly is the work of a step spread over the ranks?
--
-- One row per run and part of a step: the step itself (`step`) and the eight roles of `step.breakdown`, which divide every moment
-- of it. Each rank counts with the mean over its steps, all recordings together. `imbalance` is the greatest of these means over
-- their mean: 1 is even, and 1.5 says that the busiest rank has half as much again as the average, which all others may have
-- to wait for. Ranks that wait for a straggler have more `communication`, and the straggler has more of what it was late with.
--
-- Steps are those of `step.breakdown`, with the same `extended`. Runs of a single rank have no row.
--
-- Left out: steps that a recording cut short; processes without a rank.
--
-- empty   no two ranks were recorded: ingest the traces of all ranks as one run, a folder with one trace for each
--
-- param   extended   boolean = false   whether a step lasts until the device work that it launched has ended
--
-- column  run        text    id      run the ranks belong to
-- column  part       text    name    step, kernel, memcpy, memset, communication, runtime, loader, cpu or other
-- column  ranks      bigint  count   ranks
-- column  mean       double  ns      mean over the ranks of each one's mean per step
-- column  std        double  ns      standard deviation over the ranks
-- column  least      double  ns      least of these means
-- column  least_rank bigint  id      rank that has it; of several the lowest
-- column  most       double  ns      greatest of these means
-- column  most_rank  bigint  id      rank that has it; of several the lowest
-- column  imbalance  double  factor  `most` over `mean`; null where no rank has any
-- column  spread     double  ns      `most` less `least`
--
-- needs   step_role
-- order   run, spread desc, part
-- source  kineto, nsys, sagemaker_framework

WITH meant AS (
  SELECT
    run,
    rank,
    avg(dur) AS step,
    avg(kernel) AS kernel,
    avg(memcpy) AS memcpy,
    avg(memset) AS memset,
    avg(communication) AS communication,
    avg(runtime) AS runtime,
    avg(loader) AS loader,
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
  FROM meant
)

SELECT
  run,
  part,
  count(*) AS ranks,
  avg(value) AS mean,
  stddev(value) AS std,
  min(value) AS least,
  first_value(rank ORDER BY value, rank) AS least_rank,
  max(value) AS most,
  first_value(rank ORDER BY value DESC, rank) AS most_rank,
  max(value) / nullif(avg(value), 0) AS imbalance,
  max(value) - min(value) AS spread
FROM parted
GROUP BY run, part
HAVING count(*) > 1
ORDER BY run, spread DESC, part
