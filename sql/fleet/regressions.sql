-- After which runs did the level of a key metric change?
--
-- One row per change of level: `run` is the first run after the change, `previous` the last run before it. The query cuts the runs of a
-- series where the ranks of their values before and after differ most. It cuts only if chance makes such a difference in at most a share
-- `max_p` of 1000 shuffles of the same runs. Then it searches both sides again (window function `change_point`). A single slow run is
-- therefore not a change. No distribution is assumed, only that runs are independent of each other: a metric that drifts is cut more than
-- once. A change is detected when `min_runs` runs have followed it. With the defaults, ten runs before and five after are enough if their
-- values do not overlap.
--
-- `before` and `after` are the medians on both sides, from the previous change to the next one. `confidence` is high if no shuffle reached
-- such a difference and both sides have at least ten runs. Otherwise it is medium. `worse` says whether the change is for the worse.
--
-- A filter on `run` selects the rows that are shown. The changes are computed over all runs.
--
-- empty   no change is larger than noise; each side of a change needs `min_runs` runs, and `fleet.trend` lists the runs
--
-- param   metric      text in run_metric.metric = 'step_p50'  name of the metric, see view `run_metric`
-- param   order_by    text in attribute = null                attribute that orders the runs, such as the number of a commit; null for the start
-- param   series      text in attribute = null                attribute that divides the runs, such as the model; null for one series
-- param   max_p       double in 0.001..1 = 0.01               maximum share of shuffles that make such a change by chance
-- param   min_runs    bigint in 1.. = 5                       minimum number of runs on each side of a change
-- param   min_change  double in 0.. = 0.01                    minimum relative change of the median; smaller changes are not shown
--
-- column  run              text     id      name of the run
-- column  series           text     name    value of the attribute that divides the runs into series; null without one
-- column  position         bigint   id      position in its group, from 1
-- column  started          bigint   time    earliest time in its profile
-- column  order_value      text     name    value of the attribute that orders the runs; null without one
-- column  previous         text     id      last run before the change
-- column  metric           text     name    name of the metric
-- column  before           double   mixed   median of the runs before
-- column  after            double   mixed   median of the runs behind
-- column  relative_change  double   factor  change relative to the value before, 0.05 is 5 % more; the median before the change
-- column  worse            boolean  flag    whether that is to the worse; null where neither direction is
-- column  runs_before      bigint   count   runs before, up to the change before
-- column  runs_after       bigint   count   runs behind, up to the next change
-- column  p                double   ratio   share of 1000 shuffles that make such a change by chance
-- column  confidence       text     name    high or medium
--
-- needs   run, run_metric
-- order   series, position
-- source  kineto, nsys, sagemaker_framework, sagemaker_system

WITH cut AS (
  SELECT *, change_point(value, $max_p, $min_runs) OVER (PARTITION BY series ORDER BY position) AS cut
  FROM run_metric($metric, $order_by, $series)
),

segments AS (
  SELECT
    series,
    get_field(cut, 'segment') AS segment,
    min(position) AS position,
    max(position) AS last_place,
    count(*) AS runs,
    median(value) AS median,
    max(get_field(cut, 'p')) AS p,
    max(worse_sign) AS worse_sign
  FROM cut
  GROUP BY series, get_field(cut, 'segment')
),

compared AS (
  SELECT
    *,
    lag(median) OVER passed AS before,
    lag(runs) OVER passed AS runs_before,
    lag(last_place) OVER passed AS previous_place
  FROM segments
  WINDOW passed AS (PARTITION BY series ORDER BY segment)
)

SELECT
  r.run,
  c.series,
  c.position,
  r.started,
  r.order_value,
  l.run AS previous,
  $metric AS metric,
  c.before,
  c.median AS after,
  c.median / nullif(c.before, 0) - 1 AS relative_change,
  (c.median - c.before) * c.worse_sign > 0 AS worse,
  c.runs_before,
  c.runs AS runs_after,
  c.p,
  CASE WHEN c.p <= 0.001 AND c.runs_before >= 10 AND c.runs >= 10 THEN 'high' ELSE 'medium' END AS confidence
FROM compared AS c
JOIN cut AS r ON r.position = c.position AND coalesce(r.series, '') = coalesce(c.series, '')
JOIN cut AS l ON l.position = c.previous_place AND coalesce(l.series, '') = coalesce(c.series, '')
WHERE c.before IS NOT NULL AND abs(c.median - c.before) >= $min_change * abs(c.before)
ORDER BY c.series, c.position
