-- Since which run has a key figure been another one?
--
-- One row per change of level: `run` is the first one behind it, `previous` the last one before it. The runs of a series are cut
-- where their ranks before and after differ most, if chance makes such a difference in at most `max_p` of 1000 shuffles
-- of the same runs; then both sides are searched again (window function `change_point`). So one slow run alone is no change,
-- and no distribution is assumed, but that runs do not depend on each other: a figure that drifts is cut more than once.
-- A change is seen once `least_runs` runs have come behind it; with the defaults, ten before and five behind are enough where they
-- do not overlap.
--
-- `before` and `after` are the medians on both sides, from the change before to the one behind. `confidence` is high where no
-- shuffle came near and both sides have ten runs or more, else medium. `worse` says whether the change is to the worse.
--
-- A filter on `run` chooses what is shown; the changes are those over all runs.
--
-- empty   no change that is more than noise; each side of one takes `least_runs` runs, see `fleet.trend` for what there is
--
-- param   figure        text = 'step_p50'  which figure: see view `run_figure`
-- param   position      text = null        attribute that orders the runs, such as the number of a commit; null for the start
-- param   series        text = null        attribute that divides the runs, such as the model; null for one series
-- param   max_p         double = 0.01      how often chance may make such a change; at least 0.001
-- param   least_runs    bigint >= 1 = 5    runs on each side of a change
-- param   least_change  double = 0.01      changes of the median by less are not shown
--
-- column  run          text     id      first run behind the change
-- column  series       text     name    value of the attribute that divides the runs; null without one
-- column  place        bigint   id      place of the run in its series, from 1
-- column  started      bigint   time    earliest time in its profile
-- column  position     text     name    value of the attribute that orders the runs; null without one
-- column  previous     text     id      last run before the change
-- column  figure       text     name    the figure
-- column  before       double   mixed   median of the runs before
-- column  after        double   mixed   median of the runs behind
-- column  change       double   factor  `after` over `before`, less 1
-- column  worse        boolean  flag    whether that is to the worse; null where neither direction is
-- column  runs_before  bigint   count   runs before, up to the change before
-- column  runs_after   bigint   count   runs behind, up to the next change
-- column  p            double   ratio   how often chance makes such a change, in thousandths
-- column  confidence   text     name    high or medium
--
-- needs   run, run_figure
-- order   series, place
-- source  kineto, nsys, sagemaker_framework, sagemaker_system

WITH cut AS (
  SELECT *, change_point(value, $max_p, $least_runs) OVER (PARTITION BY series ORDER BY place) AS cut
  FROM run_figure($figure, $position, $series)
),

segments AS (
  SELECT
    series,
    get_field(cut, 'segment') AS segment,
    min(place) AS place,
    max(place) AS last_place,
    count(*) AS runs,
    median(value) AS median,
    max(get_field(cut, 'p')) AS p,
    max(worse) AS worse
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
  c.place,
  r.started,
  r.position,
  l.run AS previous,
  $figure AS figure,
  c.before,
  c.median AS after,
  c.median / nullif(c.before, 0) - 1 AS change,
  (c.median - c.before) * c.worse > 0 AS worse,
  c.runs_before,
  c.runs AS runs_after,
  c.p,
  CASE WHEN c.p <= 0.001 AND c.runs_before >= 10 AND c.runs >= 10 THEN 'high' ELSE 'medium' END AS confidence
FROM compared AS c
JOIN cut AS r ON r.place = c.place AND coalesce(r.series, '') = coalesce(c.series, '')
JOIN cut AS l ON l.place = c.previous_place AND coalesce(l.series, '') = coalesce(c.series, '')
WHERE c.before IS NOT NULL AND abs(c.median - c.before) >= $least_change * abs(c.before)
ORDER BY c.series, c.place
