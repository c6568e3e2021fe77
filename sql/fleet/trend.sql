-- How did a key metric change from run to run?
--
-- One row per run with a known value, in the order in which the runs started or in that of an attribute. View `run_metric` has the names
-- of the metrics. `median` is that of the `window` runs before it in its series. `relative_change` is the difference of the run from that
-- median: 0.05 is 5 % more. Both are null for the first run of a series. `fleet.regressions` shows which changes are more than noise.
--
-- A filter on `run` selects the rows that are shown. The medians are those of all runs.
--
-- empty   no run has a value of this metric
--
-- param   metric    text in run_metric.metric = 'step_p50'  name of the metric, see view `run_metric`
-- param   order_by  text in attribute = null                attribute that orders the runs, such as the number of a commit; null for the start
-- param   series    text in attribute = null                attribute that divides the runs, such as the model; null for one series
-- param   window    bigint in 1.. = 20                      number of runs in the rolling median
--
-- column  run              text    id      name of the run
-- column  series           text    name    value of the attribute that divides the runs into series; null without one
-- column  position         bigint  id      position in its group, from 1
-- column  started          bigint  time    earliest time in its profile
-- column  order_value      text    name    value of the attribute that orders the runs; null without one
-- column  metric           text    name    name of the metric
-- column  value            double  mixed   its value, in the unit that it has in table `run`
-- column  median           double  mixed   median of the runs before it
-- column  relative_change  double  factor  change relative to the value before, 0.05 is 5 % more; the median of the runs before
--
-- needs   run, run_metric
-- order   series, position
-- source  kineto, nsys, sagemaker_framework, sagemaker_system, loader_timings, recorder

WITH rolled AS (
  SELECT *, recent_percentile(value, 0.5, $window) OVER (PARTITION BY series ORDER BY position) AS median
  FROM run_metric($metric, $order_by, $series)
),

compared AS (
  SELECT * EXCLUDE (median), lag(median) OVER (PARTITION BY series ORDER BY position) AS median
  FROM rolled
)

SELECT
  run,
  series,
  position,
  started,
  order_value,
  $metric AS metric,
  value,
  median,
  value / nullif(median, 0) - 1 AS relative_change
FROM compared
ORDER BY series, position
