-- What ran during given time windows, and for what share of them?
--
-- Window number i begins at `starts[i]` and ends before `ends[i]`. Overlapping windows count as one. One row per name of an event, with the
-- time in which at least one event of that name was running. `track_busy` is the same for the whole track of the event: its phase, thread
-- or stream. If an event reaches beyond a window, only the part inside counts. Ranks and machines are taken together. For example, compare
-- the windows of slow steps with those of the other steps. Without lists, the windows are the steps of the run.
--
-- `get_framework_metrics_by_begin_and_end_timesteps` of smdebug adds up the full durations of all events that touch a window.
--
-- empty   no event with a duration was running in these windows, which are in ns since the Unix epoch, UTC, or there are no steps
--
-- param   starts  bigint[] = null  starts of the windows in ns since the Unix epoch; null for the steps of the run
-- param   ends    bigint[] = null  ends of the windows in ns since the Unix epoch, one for each start
--
-- column  run          text    id     name of the run
-- column  category     text    name   what sort of work it is
-- column  track        text    name   row a viewer would draw it on: phase, thread or stream
-- column  name         text    name   name of the event
-- column  busy         bigint  ns     time in which at least one ran; within the windows
-- column  ratio        double  ratio  its share of the time in the windows
-- column  track_busy   bigint  ns     time in the windows in which anything ran on the track
-- column  track_ratio  double  ratio  its share of the time in the windows
--
-- needs   run, step_span, event
-- order   run, category, track, name
-- source  sagemaker_framework, kineto, nsys

WITH given AS (
  SELECT run, $starts[place] AS ts, $ends[place] - $starts[place] AS dur
  FROM run
  CROSS JOIN (SELECT unnest(range(1, CAST(cardinality($starts) AS bigint) + 1)) AS place) AS places
  UNION ALL
  SELECT run, ts, dur
  FROM step_span
  WHERE $starts IS NULL
),

windows AS (
  SELECT run, union_intervals(ts, dur) AS windows, union_length(ts, dur) AS length
  FROM given
  WHERE ts IS NOT NULL AND dur > 0
  GROUP BY run
),

named AS (
  SELECT run, category, track, name, union_intervals(ts, dur) AS busy
  FROM event
  WHERE ts IS NOT NULL AND dur BETWEEN 1 AND 604800000000000
  GROUP BY run, category, track, name
),

tracks AS (
  SELECT run, track, union_intervals(ts, dur) AS busy
  FROM event
  WHERE ts IS NOT NULL AND dur BETWEEN 1 AND 604800000000000
  GROUP BY run, track
),

inside AS (
  SELECT n.run, n.category, n.track, n.name, w.length, unnest(covered(n.busy, w.windows)) AS busy
  FROM named AS n
  JOIN windows AS w ON w.run = n.run
),

track_inside AS (
  SELECT t.run, t.track, unnest(covered(t.busy, w.windows)) AS busy
  FROM tracks AS t
  JOIN windows AS w ON w.run = t.run
),

summed AS (
  SELECT run, category, track, name, length, sum(busy) AS busy
  FROM inside
  GROUP BY run, category, track, name, length
),

track_summed AS (
  SELECT run, track, sum(busy) AS busy
  FROM track_inside
  GROUP BY run, track
)

SELECT
  s.run,
  s.category,
  s.track,
  s.name,
  s.busy,
  CAST(s.busy AS double) / s.length AS ratio,
  t.busy AS track_busy,
  CAST(t.busy AS double) / s.length AS track_ratio
FROM summed AS s
JOIN track_summed AS t ON t.run = s.run AND t.track IS NOT DISTINCT FROM s.track
WHERE s.busy > 0
ORDER BY run, category, track, name
