-- What was running at given times?
--
-- One row per name of an event, with the number of times at which at least one event of that name was running. `track_n` counts the same
-- for the whole track of the event: its phase, thread or stream. Ranks and machines are taken together. To find the cause of a bottleneck,
-- compare a list of times inside it with a list of other times. Without a list, the query profiles the whole run at 100 evenly spread
-- times. An event runs from its start until just before its end. A time that is given twice counts once.
--
-- `get_framework_metrics_by_timesteps` of smdebug instead adds up the full durations of the events, once for each time, and excludes the
-- last time.
--
-- empty   no event with a duration was running at these times, which are in ns since the Unix epoch, UTC
--
-- param   times  bigint[] = null  times in ns since the Unix epoch; null for 100 times evenly spread over the run
--
-- column  run          text    id     name of the run
-- column  category     text    name   what sort of work it is
-- column  track        text    name   row a viewer would draw it on: phase, thread or stream
-- column  name         text    name   name of the event
-- column  n            bigint  count  times at which it ran
-- column  ratio        double  ratio  their share of all given times
-- column  track_n      bigint  count  times at which anything ran on the track
-- column  track_ratio  double  ratio  their share of all given times
--
-- needs   run, event
-- order   run, category, track, name
-- source  sagemaker_framework, kineto, nsys

WITH given AS (
  SELECT
    run,
    coalesce(
      $times,
      generate_series(
        started + (ended - started) / 200,
        ended,
        greatest((ended - started) / 100, 1)
      )
    ) AS times
  FROM run
),

-- A time is a window of 1 ns.
windows AS (
  SELECT run, array_agg(DISTINCT named_struct('ts', ts, 'dur', CAST(1 AS bigint))) AS times
  FROM (SELECT run, unnest(times) AS ts FROM given) AS each
  WHERE ts IS NOT NULL
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

hit AS (
  SELECT n.run, n.category, n.track, n.name, unnest(covered(n.busy, w.times)) AS inside
  FROM named AS n
  JOIN windows AS w ON w.run = n.run
),

track_hit AS (
  SELECT t.run, t.track, unnest(covered(t.busy, w.times)) AS inside
  FROM tracks AS t
  JOIN windows AS w ON w.run = t.run
),

counted AS (
  SELECT run, category, track, name, sum(inside) AS n, count(*) AS times
  FROM hit
  GROUP BY run, category, track, name
),

track_counted AS (
  SELECT run, track, sum(inside) AS n
  FROM track_hit
  GROUP BY run, track
)

SELECT
  c.run,
  c.category,
  c.track,
  c.name,
  c.n,
  CAST(c.n AS double) / c.times AS ratio,
  t.n AS track_n,
  CAST(t.n AS double) / c.times AS track_ratio
FROM counted AS c
JOIN track_counted AS t ON t.run = c.run AND t.track IS NOT DISTINCT FROM c.track
WHERE c.n > 0
ORDER BY run, category, track, name
