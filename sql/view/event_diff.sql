-- How did the time of device work or of host calls change compared with another run, recording, rank or step?
--
-- One row per category and name, with counts and summed durations on both sides and their differences. `kernel.diff` (with `device`) and
-- `operator.diff` define the rows and the parameters.
--
-- param   base       text in run = null  run to compare with; null for the run itself
-- param   rank       bigint = null       only this rank; null for all
-- param   span       bigint = null       only this recording; null for all
-- param   step       bigint = null       only this step; null for all
-- param   base_rank  bigint = null       only this rank of the base; null for that of `rank`
-- param   base_span  bigint = null       only this recording of the base; null for that of `span`
-- param   base_step  bigint = null       only this step of the base; null for that of `step`
-- param   python     boolean = false     whether Python functions and modules are compared
-- param   device     boolean = false     whether kernels, copies and fills are compared, instead of calls of the host
--
-- column  run           text    id      name of the run
-- column  base          text    id      run that it is compared with
-- column  category      text    name    operator, annotation, communication, loader, runtime, driver, python or module; kernel, memcpy or memset with `device`
-- column  name          text    name    name of the call
-- column  change_kind   text    name    added, deleted, increased, decreased or unchanged, by the counts
-- column  base_n        bigint  count   how often it ran in the base
-- column  n             bigint  count   how often it ran
-- column  n_diff        bigint  count   `n` less `base_n`
-- column  base_dur_sum  bigint  ns      sum of the durations in the base
-- column  dur_sum       bigint  ns      sum of the durations
-- column  dur_diff      bigint  ns      `dur_sum` less `base_dur_sum`
-- column  dur_ratio     double  factor  `dur_sum` over `base_dur_sum`; null where the base has none
-- column  base_steps    bigint  count   steps that were added up in the base, each rank's; 0 without step marks
-- column  steps         bigint  count   steps that were added up, each rank's
--
-- needs   event, event_step, step
-- order   run, dur_diff desc, category, name
-- source  kineto, nsys, sagemaker_framework

-- Assigning every event to a step is expensive, so it is done only if a step is selected.
WITH placed AS (
  SELECT run, rank, span, CAST(NULL AS bigint) AS step, category, name, dur, device, object, CAST(NULL AS bigint) AS launch_ts
  FROM event
  WHERE $step IS NULL AND $base_step IS NULL AND ts IS NOT NULL
  UNION ALL
  SELECT run, rank, span, step, category, name, dur, device, object, launch_ts
  FROM event_step
  WHERE $step IS NOT NULL OR $base_step IS NOT NULL
),

-- The rows without a category are the steps themselves: both sides count them in the same way.
ran AS (
  SELECT run, rank, span, step, category, name, dur
  FROM placed
  WHERE
    dur BETWEEN 0 AND 604800000000000
    AND CASE
      WHEN $device THEN category IN ('kernel', 'memcpy', 'memset')
      ELSE
        coalesce(device, 'cpu') = 'cpu'
        AND (
          category IN ('operator', 'annotation', 'communication', 'loader', 'runtime', 'driver')
          OR $python AND category IN ('python', 'module')
        )
    END
  QUALIFY
    NOT $device
    OR ($step IS NULL AND $base_step IS NULL)
    OR launch_ts IS NOT NULL
    OR max(launch_ts) OVER (PARTITION BY run, object) IS NULL
  UNION ALL
  SELECT run, rank, span, step, NULL AS category, NULL AS name, 0 AS dur
  FROM step
),

based AS (
  SELECT run, category, name, count(*) AS base_n, 0 AS n, sum(dur) AS base_dur_sum, 0 AS dur_sum
  FROM ran
  WHERE
    ($base IS NULL OR run = $base)
    AND (coalesce($base_rank, $rank) IS NULL OR rank = coalesce($base_rank, $rank))
    AND (coalesce($base_span, $span) IS NULL OR span = coalesce($base_span, $span))
    AND (coalesce($base_step, $step) IS NULL OR step = coalesce($base_step, $step))
  GROUP BY run, category, name
),

-- Both sides under the name of the run that is compared: a base with another name is the base of every run.
sided AS (
  SELECT run, category, name, 0 AS base_n, count(*) AS n, 0 AS base_dur_sum, sum(dur) AS dur_sum
  FROM ran
  WHERE ($rank IS NULL OR rank = $rank) AND ($span IS NULL OR span = $span) AND ($step IS NULL OR step = $step)
  GROUP BY run, category, name
  UNION ALL
  SELECT *
  FROM based
  WHERE $base IS NULL
  UNION ALL
  SELECT r.run, b.category, b.name, b.base_n, b.n, b.base_dur_sum, b.dur_sum
  FROM run AS r
  CROSS JOIN based AS b
  WHERE $base IS NOT NULL
),

paired AS (
  SELECT
    run,
    category,
    name,
    sum(base_n) AS base_n,
    sum(n) AS n,
    sum(base_dur_sum) AS base_dur_sum,
    sum(dur_sum) AS dur_sum
  FROM sided
  GROUP BY run, category, name
),

whole AS (
  SELECT
    *,
    sum(CASE WHEN category IS NULL THEN 0 ELSE base_n END) OVER (PARTITION BY run) AS base_all,
    sum(CASE WHEN category IS NULL THEN 0 ELSE n END) OVER (PARTITION BY run) AS all_n,
    max(CASE WHEN category IS NULL THEN base_n ELSE 0 END) OVER (PARTITION BY run) AS base_steps,
    max(CASE WHEN category IS NULL THEN n ELSE 0 END) OVER (PARTITION BY run) AS steps
  FROM paired
)

-- An empty side cannot be compared: it is a run of another kind, or its name is wrong.
SELECT
  * EXCLUDE (base_all, all_n),
  coalesce($base, run) AS base,
  CASE
    WHEN base_n = 0 THEN 'added'
    WHEN n = 0 THEN 'deleted'
    WHEN n > base_n THEN 'increased'
    WHEN n < base_n THEN 'decreased'
    ELSE 'unchanged'
  END AS change_kind,
  n - base_n AS n_diff,
  dur_sum - base_dur_sum AS dur_diff,
  CAST(dur_sum AS double) / nullif(base_dur_sum, 0) AS dur_ratio
FROM whole
WHERE category IS NOT NULL AND base_all > 0 AND all_n > 0
ORDER BY run, dur_diff DESC, category, name
