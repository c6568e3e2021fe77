-- How did the time of kernels and copies change compared with another run, recording, rank or step?
--
-- One row per name, with counts and summed durations on both sides and their differences. The run of the row is one side, `base` is the
-- other: `kernel_diff('before') where run = 'after'`. Without `base`, a run is compared with itself:
-- `kernel_diff(base_span => 0, span => 1)` compares its second recording with its first. `base_step` and `step` do the same for steps,
-- `base_rank` and `rank` for ranks. If a parameter of the base is not given, the base uses the value of the other side. For example,
-- `kernel_diff('before', rank => 0, step => 7)` compares step 7 of rank 0 in both runs. Without a selection, all ranks, recordings and
-- steps are added up. Without any parameter, both sides are equal.
--
-- `change_kind` depends on the counts: added and deleted names are on one side only. Durations are added up, so parallel work counts more
-- than once. `steps` and `base_steps` are the numbers of steps that were added up, over all ranks, because the two sides may differ. A
-- kernel belongs to the step that launched it (view `event_step`). It belongs to no step if its launch is before the recording.
--
-- Counts, durations and categories are those of HTA's TraceDiff for the device. TraceDiff compares one step of one rank and counts
-- synchronization as work.
--
-- empty   one side has no kernels of a device; check `base`, `rank`, `span` and `step`, and record traces with ProfilerActivity.CUDA
--
-- param   base       text in run = null  run to compare with; null for the run itself
-- param   rank       bigint = null       only this rank; null for all
-- param   span       bigint = null       only this recording; null for all
-- param   step       bigint = null       only this step; null for all
-- param   base_rank  bigint = null       only this rank of the base; null for that of `rank`
-- param   base_span  bigint = null       only this recording of the base; null for that of `span`
-- param   base_step  bigint = null       only this step of the base; null for that of `step`
--
-- column  run           text    id      name of the run
-- column  base          text    id      run that it is compared with
-- column  type          text    name    computation, communication or memory (copies and fills)
-- column  name          text    name    name of the kernel or copy
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
-- order   run, dur_diff desc, type, name
-- source  kineto, nsys, sagemaker_framework

-- Assigning every event to a step is expensive, so it is done only if a step is selected.
WITH ran AS (
  SELECT run, rank, span, CAST(NULL AS bigint) AS step, category, name, dur
  FROM event
  WHERE
    $step IS NULL AND $base_step IS NULL
    AND category IN ('kernel', 'memcpy', 'memset')
    AND ts IS NOT NULL
    AND dur BETWEEN 0 AND 604800000000000
  UNION ALL
  SELECT run, rank, span, step, category, name, dur
  FROM (
    SELECT *, launch_ts IS NOT NULL OR max(launch_ts) OVER (PARTITION BY run, object) IS NULL AS is_placed
    FROM event_step
    WHERE
      ($step IS NOT NULL OR $base_step IS NOT NULL)
      AND category IN ('kernel', 'memcpy', 'memset')
      AND dur BETWEEN 0 AND 604800000000000
  )
  WHERE is_placed
),

tested AS (
  SELECT run, category, name, count(*) AS n, sum(dur) AS dur_sum
  FROM ran
  WHERE ($rank IS NULL OR rank = $rank) AND ($span IS NULL OR span = $span) AND ($step IS NULL OR step = $step)
  GROUP BY run, category, name
),

based AS (
  SELECT run, category, name, count(*) AS n, sum(dur) AS dur_sum
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
  SELECT run, category, name, 0 AS base_n, n, 0 AS base_dur_sum, dur_sum
  FROM tested
  UNION ALL
  SELECT run, category, name, n AS base_n, 0 AS n, dur_sum AS base_dur_sum, 0 AS dur_sum
  FROM based
  WHERE $base IS NULL
  UNION ALL
  SELECT r.run, b.category, b.name, b.n AS base_n, 0 AS n, b.dur_sum AS base_dur_sum, 0 AS dur_sum
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

-- An empty side cannot be compared: it is a run of another kind, or its name is wrong.
whole AS (
  SELECT *, sum(base_n) OVER (PARTITION BY run) AS base_all, sum(n) OVER (PARTITION BY run) AS all_n
  FROM paired
),

-- The number of steps of both sides, in the same way.
counted AS (
  SELECT run, 0 AS base_steps, count(*) AS steps
  FROM step
  WHERE ($rank IS NULL OR rank = $rank) AND ($span IS NULL OR span = $span) AND ($step IS NULL OR step = $step)
  GROUP BY run
  UNION ALL
  SELECT run, count(*) AS base_steps, 0 AS steps
  FROM step
  WHERE
    $base IS NULL
    AND (coalesce($base_rank, $rank) IS NULL OR rank = coalesce($base_rank, $rank))
    AND (coalesce($base_span, $span) IS NULL OR span = coalesce($base_span, $span))
    AND (coalesce($base_step, $step) IS NULL OR step = coalesce($base_step, $step))
  GROUP BY run
  UNION ALL
  SELECT r.run, b.base_steps, 0 AS steps
  FROM run AS r
  CROSS JOIN (
    SELECT count(*) AS base_steps
    FROM step
    WHERE
      run = $base
      AND (coalesce($base_rank, $rank) IS NULL OR rank = coalesce($base_rank, $rank))
      AND (coalesce($base_span, $span) IS NULL OR span = coalesce($base_span, $span))
      AND (coalesce($base_step, $step) IS NULL OR step = coalesce($base_step, $step))
  ) AS b
  WHERE $base IS NOT NULL
),

stepped AS (
  SELECT run, sum(base_steps) AS base_steps, sum(steps) AS steps
  FROM counted
  GROUP BY run
)

SELECT
  w.run,
  coalesce($base, w.run) AS base,
  CASE
    WHEN w.category <> 'kernel' THEN 'memory'
    WHEN regexp_like(w.name, 'nccl', 'i') THEN 'communication'
    ELSE 'computation'
  END AS type,
  w.name,
  CASE
    WHEN w.base_n = 0 THEN 'added'
    WHEN w.n = 0 THEN 'deleted'
    WHEN w.n > w.base_n THEN 'increased'
    WHEN w.n < w.base_n THEN 'decreased'
    ELSE 'unchanged'
  END AS change_kind,
  w.base_n,
  w.n,
  w.n - w.base_n AS n_diff,
  w.base_dur_sum,
  w.dur_sum,
  w.dur_sum - w.base_dur_sum AS dur_diff,
  CAST(w.dur_sum AS double) / nullif(w.base_dur_sum, 0) AS dur_ratio,
  coalesce(s.base_steps, 0) AS base_steps,
  coalesce(s.steps, 0) AS steps
FROM whole AS w
LEFT JOIN stepped AS s ON s.run = w.run
WHERE w.base_all > 0 AND w.all_n > 0
ORDER BY run, dur_diff DESC, type, name
