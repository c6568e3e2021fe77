-- How long did each step of a run take, compared with the other steps of its process?
--
-- One row per step of the main mode. The main mode is train if the run has it, else the mode with the most time. A run without such steps
-- has one row per batch (`compute` of `loader_batch`). A step is an outlier if it lasted more than 3 standard deviations (of the
-- population) above the mean of its process, as in smdebug's StepOutlier.
--
-- Excluded: steps that are incomplete because the recording ended, and steps without a duration; batches that the loop did not record, and
-- those of an ideal pass.
--
-- column  run       text     id     name of the run
-- column  node      text     id     machine
-- column  rank      bigint   id     global rank of the process; null when unknown
-- column  object    bigint   id     file of the row, see table object; null for a step
-- column  kind      text     name   step or batch
-- column  mode      text     name   train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  span      bigint   id     recording of the process within the run, from 0
-- column  number    bigint   id     number of the step or batch
-- column  ts        bigint   time   start; null when unknown
-- column  dur       bigint   ns     duration
-- column  position  bigint   id     position in its group, from 1
-- column  dur_p50   double   ns     median
-- column  dur_mean  double   ns     mean
-- column  dur_std   double   ns     standard deviation
-- column  calm      bigint   count  position of the first step that lasted less than twice the median; null if there is none
-- column  outlier   boolean  flag   whether the step is an outlier
--
-- needs   step, loader_batch
-- order   run, node, rank, object, position

WITH step_durations AS (
  SELECT run, node, rank, span, mode, step AS number, ts, dur, 'step' AS kind
  FROM step
  WHERE dur IS NOT NULL AND complete IS NOT FALSE
),

modes AS (
  SELECT run, mode
  FROM step_durations
  GROUP BY run, mode
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY CASE WHEN mode = 'train' THEN 0 ELSE 1 END, sum(dur) DESC, mode) = 1
),

timed AS (
  SELECT k.run, k.node, k.rank, CAST(NULL AS bigint) AS object, k.kind, k.mode, k.span, k.number, k.ts, k.dur
  FROM step_durations AS k
  JOIN modes AS m ON m.run = k.run AND (m.mode IS NOT DISTINCT FROM k.mode)
  UNION ALL
  SELECT b.run, b.node, b.rank, b.object, 'batch' AS kind, NULL AS mode, 0 AS span, b.position AS number, b.ts, b.compute AS dur
  FROM loader_batch AS b
  LEFT ANTI JOIN modes AS m ON m.run = b.run
  WHERE b.is_recorded AND b.compute IS NOT NULL AND b.variant IS DISTINCT FROM 'ideal'
),

placed AS (
  SELECT
    *,
    CAST(row_number() OVER (PARTITION BY run, node, rank, object ORDER BY span, ts, number, dur) AS bigint) AS position,
    median(dur) OVER (PARTITION BY run, node, rank, object) AS dur_p50,
    avg(dur) OVER (PARTITION BY run, node, rank, object) AS dur_mean,
    stddev_pop(dur) OVER (PARTITION BY run, node, rank, object) AS dur_std
  FROM timed
)

SELECT
  *,
  min(CASE WHEN dur < 2 * dur_p50 THEN position END) OVER (PARTITION BY run, node, rank, object) AS calm,
  dur > dur_mean + 3 * dur_std AS outlier
FROM placed
ORDER BY run, node, rank, object, position
