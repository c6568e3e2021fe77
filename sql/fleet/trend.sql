-- How did a key figure change from run to run?
--
-- One row per run with a known figure, in the order in which the runs started or in that of an attribute. View `run_figure` has the names
-- of the figures. `median` is that of the `window` runs before it in its series. `relative_change` is the difference of the run from that
-- median: 0.05 is 5 % more. Both are null for the first run of a series. `fleet.regressions` shows which changes are more than noise.
--
-- A filter on `run` selects the rows that are shown. The medians are those of all runs.
--
-- empty   no run has this figure; view `run_figure` has the names of the figures, and column `attributes` of table `run` has the attributes for `order_by`
--
-- param   figure    text = 'step_p50'  name of the figure
-- param   order_by  text = null        attribute that orders the runs, such as the number of a commit; null for the start
-- param   series    text = null        attribute that divides the runs, such as the model; null for one series
-- param   window    bigint >= 1 = 20   number of runs in the rolling median
--
-- column  run              text    id      name of the run
-- column  series           text    name    value of the attribute that divides the runs into series; null without one
-- column  position         bigint  id      position in its group, from 1
-- column  started          bigint  time    earliest time in its profile
-- column  order_value      text    name    value of the attribute that orders the runs; null without one
-- column  figure           text    name    the figure
-- column  value            double  mixed   its value, in the unit that it has in table `run`
-- column  median           double  mixed   median of the runs before it
-- column  relative_change  double  factor  change relative to the value before, 0.05 is 5 % more; the median of the runs before
--
-- needs   run, run_figure
-- order   series, position
-- source  kineto, nsys, sagemaker_framework, sagemaker_system

WITH placed AS (
  SELECT run, series, coalesce(series, '') AS key, position, started, order_value, value
  FROM run_figure($figure, $order_by, $series)
),

-- Every run with the positions of its window, all before it.
reached AS (
  SELECT run, key, unnest(range(greatest(position - $window, 1), position)) AS position
  FROM placed
),

rolled AS (
  SELECT r.run, median(p.value) AS median
  FROM reached AS r
  JOIN placed AS p ON p.key = r.key AND p.position = r.position
  GROUP BY r.run
)

SELECT
  p.run,
  p.series,
  p.position,
  p.started,
  p.order_value,
  $figure AS figure,
  p.value,
  r.median,
  p.value / nullif(r.median, 0) - 1 AS relative_change
FROM placed AS p
LEFT JOIN rolled AS r ON r.run = p.run
ORDER BY p.series, p.position
