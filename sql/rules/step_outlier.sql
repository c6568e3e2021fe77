-- Did some steps last much longer than the others of their rank?
--
-- smdebug's rule StepOutlier, over the whole run. One row per process and mode. A step is an outlier when it lasts more than `stddev`
-- standard deviations (of the population) above the mean. If there are more than `n_outliers` outliers and more than `patience` steps, the
-- outliers are violations and trigger the rule. Each step counts once. `step.outliers` is similar, but uses the median, and spans over all
-- ranks.
--
-- `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's package), docs (AWS's
-- guide of 2023) or reported (the run's own report, or history where it has no limit).
--
-- smdebug counts the outliers of earlier windows again in each window, and steps on the border of two windows twice. It uses only the last
-- mode of a process, whatever its `mode` says.
--
-- Excluded: steps that a recording cut short.
--
-- empty   there are no steps of this mode (SageMaker's hook records steps; in a trace, `prof.step()` marks them), or `defaults` is not history, rulesconfig, docs or reported
--
-- param   defaults    text in history|rulesconfig|docs|reported = 'history'  source of the default limits (see above)
-- param   stddev      double = null                                          standard deviations above the mean that make a step an outlier; null for the published limit
-- param   n_outliers  bigint in 0.. = null                                   the rule needs more outliers than this; null for the published limit
-- param   mode        text in train|eval|predict|global = null               only steps of this mode; null for each mode
-- param   patience    bigint in 0.. = 100                                    the rule needs more steps than this; fixed in smdebug
--
-- column  run         text     id     name of the run
-- column  node        text     id     machine
-- column  rank        bigint   id     global rank of the process; null when unknown
-- column  span        bigint   id     recording of the process within the run, from 0
-- column  mode        text     name   train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
-- column  triggered   boolean  flag   whether the rule is triggered
-- column  violations  bigint   count  outliers, if they are more than `n_outliers`
-- column  datapoints  bigint   count  steps
-- column  outliers    bigint   count  outliers, however few
-- column  dur_limit   double   ns     duration above which a step is an outlier
-- column  dur_mean    double   ns     mean
-- column  dur_stddev  double   ns     its standard deviation, that of a population
-- column  dur_min     bigint   ns     shortest
-- column  dur_p50     double   ns     median
-- column  dur_p95     double   ns     95th percentile
-- column  dur_p99     double   ns     99th percentile
-- column  dur_max     bigint   ns     longest
-- column  parameters  text     json   limits that were used
--
-- needs   rule_limit, step
-- order   run, node, rank, span, mode
-- source  sagemaker_framework, kineto, nsys

WITH limits AS (
  SELECT
    run,
    coalesce($stddev, stddev, CASE $defaults WHEN 'docs' THEN 5.0 ELSE 3.0 END) AS stddev,
    coalesce($n_outliers, n_outliers, 10) AS n_outliers
  FROM rule_limit('StepOutlier', $defaults)
),

measured AS (
  SELECT
    *,
    avg(dur) OVER (PARTITION BY run, node, rank, span, mode) AS dur_mean,
    stddev_pop(dur) OVER (PARTITION BY run, node, rank, span, mode) AS dur_stddev
  FROM step
  WHERE dur IS NOT NULL AND complete IS NOT FALSE AND coalesce(mode = $mode, $mode IS NULL)
),

counted AS (
  SELECT
    m.run,
    m.node,
    m.rank,
    m.span,
    m.mode,
    l.n_outliers,
    l.stddev,
    count(*) AS datapoints,
    count(*) FILTER (WHERE m.dur > m.dur_mean + l.stddev * m.dur_stddev) AS outliers,
    max(m.dur_mean + l.stddev * m.dur_stddev) AS dur_limit,
    max(m.dur_mean) AS dur_mean,
    max(m.dur_stddev) AS dur_stddev,
    min(m.dur) AS dur_min,
    median(m.dur) AS dur_p50,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY m.dur) AS dur_p95,
    percentile_cont(0.99) WITHIN GROUP (ORDER BY m.dur) AS dur_p99,
    max(m.dur) AS dur_max
  FROM measured AS m
  JOIN limits AS l ON l.run = m.run
  GROUP BY m.run, m.node, m.rank, m.span, m.mode, l.n_outliers, l.stddev
)

SELECT
  * EXCLUDE (n_outliers, stddev),
  outliers > n_outliers AND datapoints > $patience AS triggered,
  CASE WHEN outliers > n_outliers AND datapoints > $patience THEN outliers ELSE 0 END AS violations,
  '{"stddev":' || stddev || ',"n_outliers":' || n_outliers || ',"mode":' || coalesce('"' || arrow_cast($mode, 'Utf8') || '"', 'null')
  || ',"patience":' || $patience || '}' AS parameters
FROM counted
ORDER BY run, node, rank, span, mode
