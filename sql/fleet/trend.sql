-- How did a key figure go from run to run?
--
-- One row per run whose figure is known (view `run_figure` has the names of the figures), in the order in which the runs started or
-- in that of an attribute. `median` is that of the `window` runs before it in its series, and `change` how far the run is
-- from that: 0.05 is 5 % more. Null for the first run of a series. `fleet.regressions` says which changes are more than noise.
--
-- A filter on `run` chooses what is shown; the medians are those of all runs.
--
-- empty   no run has this figure: see view `run_figure` for their names, and column `attributes` of table `run` for `position`
--
-- param   figure    text = 'step_p50'  which figure
-- param   position  text = null        attribute that orders the runs, such as the number of a commit; null for the start
-- param   series    text = null        attribute that divides the runs, such as the model; null for one series
-- param   window    bigint >= 1 = 20   runs of the rolling median
--
-- column  run       text    id      name of the run
-- column  series    text    name    value of the attribute that divides them; null without one
-- column  place     bigint  id      place of the run in its series, from 1
-- column  started   bigint  time    earliest time in its profile
-- column  position  text    name    value of the attribute that orders them; null without one
-- column  figure    text    name    the figure
-- column  value     double  mixed   its value, in the unit that it has in table `run`
-- column  median    double  mixed   median of the runs before it
-- column  change    double  factor  `value` over `median`, less 1
--
-- needs   run, run_figure
-- order   series, place
-- source  kineto, nsys, sagemaker_framework, sagemaker_system

WITH placed AS (
  SELECT run, series, coalesce(series, '') AS key, place, started, position, value
  FROM run_figure($figure, $position, $series)
),

-- Every run with the places before it.
reached AS (
  SELECT run, key, unnest(range(greatest(place - $window, 1), place)) AS place
  FROM placed
),

rolled AS (
  SELECT r.run, median(p.value) AS median
  FROM reached AS r
  JOIN placed AS p ON p.key = r.key AND p.place = r.place
  GROUP BY r.run
)

SELECT
  p.run,
  p.series,
  p.place,
  p.started,
  p.position,
  $figure AS figure,
  p.value,
  r.median,
  p.value / nullif(r.median, 0) - 1 AS change
FROM placed AS p
LEFT JOIN rolled AS r ON r.run = p.run
ORDER BY p.series, p.place
