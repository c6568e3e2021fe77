-- For how long did events of each name run within given windows?
--
-- One row per name of an event, as in `event.in_windows`. With `instants`, the windows are single times instead, of 1 ns each, so `busy` is
-- a number of times (`event.at_times`).
--
-- param   starts    bigint[] in time = null  starts of the windows in ns, like `ts`; null for the steps of the run
-- param   ends      bigint[] in time = null  ends of the windows in ns, like `ts`, one for each start
-- param   instants  boolean = false          whether the windows are single times
-- param   times     bigint[] in time = null  these times in ns, like `ts`; null for 100 times evenly spread over the run
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
-- needs   run, step_span, timed_event
-- order   run, category, track, name
-- source  sagemaker_framework, kineto, nsys

WITH requested AS (
  SELECT run, $starts[place] AS ts, $ends[place] - $starts[place] AS dur
  FROM run
  CROSS JOIN (SELECT unnest(range(1, CAST(cardinality($starts) AS bigint) + 1)) AS place) AS places
  UNION ALL
  -- `+ 0` removes the unit: the branches of a union must have the same unit.
  SELECT run, ts + 0 AS ts, end_ts - ts AS dur
  FROM step_span
  WHERE $starts IS NULL AND NOT $instants
  UNION ALL
  SELECT
    run,
    unnest(
      coalesce($times, generate_series(
        first_ts + (last_ts - first_ts) / 200, last_ts, greatest((last_ts - first_ts) / 100, 1)
      ))
    ) AS ts,
    1 AS dur
  FROM run
  WHERE $instants
),

windows AS (
  SELECT run, union_intervals(ts, dur) AS windows, union_length(ts, dur) AS length
  FROM requested
  WHERE ts IS NOT NULL AND dur > 0
  GROUP BY run
),

named AS (
  SELECT
    run,
    category,
    track,
    name,
    row_number() OVER (PARTITION BY run ORDER BY category, track, name) AS number,
    union_intervals(ts, dur) AS busy
  FROM timed_event
  WHERE ts IS NOT NULL AND dur > 0
  GROUP BY run, category, track, name
),

tracks AS (
  SELECT
    run,
    track,
    row_number() OVER (PARTITION BY run ORDER BY track) AS number,
    union_intervals(ts, dur) AS busy
  FROM timed_event
  WHERE ts IS NOT NULL AND dur > 0
  GROUP BY run, track
),

-- The intervals of all names of a run are one list, and those of all its tracks another. A join of each name with the windows would copy
-- the windows for each name.
listed AS (
  SELECT run, array_agg(named_struct('number', number, 'ts', part['ts'], 'dur', part['dur'])) AS parts
  FROM (SELECT run, number, unnest(busy) AS part FROM named) AS each
  GROUP BY run
),

track_listed AS (
  SELECT run, array_agg(named_struct('number', number, 'ts', part['ts'], 'dur', part['dur'])) AS parts
  FROM (SELECT run, number, unnest(busy) AS part FROM tracks) AS each
  GROUP BY run
),

inside AS (
  SELECT l.run, w.length, unnest(l.parts) AS part, unnest(covered(w.windows, l.parts)) AS busy
  FROM listed AS l
  JOIN windows AS w ON w.run = l.run
),

track_inside AS (
  SELECT l.run, unnest(l.parts) AS part, unnest(covered(w.windows, l.parts)) AS busy
  FROM track_listed AS l
  JOIN windows AS w ON w.run = l.run
),

summed AS (
  SELECT run, part['number'] AS number, length, sum(busy) AS busy
  FROM inside
  GROUP BY run, part['number'], length
),

track_summed AS (
  SELECT run, part['number'] AS number, sum(busy) AS busy
  FROM track_inside
  GROUP BY run, part['number']
)

SELECT
  n.run,
  n.category,
  n.track,
  n.name,
  s.busy,
  CAST(s.busy AS double) / s.length AS ratio,
  t.busy AS track_busy,
  CAST(t.busy AS double) / s.length AS track_ratio
FROM summed AS s
JOIN named AS n ON n.run = s.run AND n.number = s.number
JOIN tracks AS k ON k.run = n.run AND k.track IS NOT DISTINCT FROM n.track
JOIN track_summed AS t ON t.run = n.run AND t.number = k.number
WHERE s.busy > 0
ORDER BY run, category, track, name
