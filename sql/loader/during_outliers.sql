-- What did the machines and the framework do while the training process waited unusually long for a batch?
--
-- A long wait is a call for a batch that lasted at least `factor` times the median of its run, on any rank. The query compares everything
-- recorded during these waits with everything else from the start of the first call to the end of the last call. Set-up and shutdown are
-- therefore not counted. For samples, the values are means, separately for each machine and quantity. For events, the values are shares of
-- the time: 0.25 means that at least one event of that name was running in a quarter of the time of the long waits. Events that overlap
-- count once. An event that is partly inside a long wait counts with that part.
--
-- A run without a long wait has no rows. Waits are often shorter than the pause between two samples: `n_during` is the number of samples in
-- a mean. The rows include the events of the loader itself, which show the waits.
--
-- Excluded: waits of an ideal replay, everything without a time, and events without a length.
--
-- empty   no wait lasted at least `factor` times the median, or no call for a batch was recorded (`loader.next` shows which)
--
-- param   factor  double = 2.0  minimum duration of a long wait, as a multiple of the median
--
-- column  run          text    id     name of the run
-- column  source       text    name   `sample` for what the machines measured, `event` for what the framework recorded
-- column  node         text    id     machine; null for events, which are taken over all machines
-- column  category     text    name   resource of the samples, or category of the events
-- column  name         text    name   metric of the samples, or name of the events
-- column  unit         text    name   unit as recorded; `ratio` for events
-- column  during       double  mixed  value during the long waits; null when nothing was sampled in them
-- column  otherwise    double  mixed  value at all other times between the first and the last call
-- column  difference   double  mixed  `during` less `otherwise`
-- column  n_during     bigint  count  samples during the long waits; null for events
-- column  n_otherwise  bigint  count  samples at the other times; null for events
--
-- needs   next_call, system_sample, event
-- order   run, source, node, category, name, unit
-- source  sagemaker_system, sagemaker_framework, kineto, nsys

WITH calls AS (
  SELECT run, ts, dur, median(dur) OVER (PARTITION BY run) AS dur_p50
  FROM next_call
  WHERE ts IS NOT NULL
),

long_waits AS (
  SELECT run, ts, dur
  FROM calls
  WHERE dur_p50 > 0 AND dur >= $factor * dur_p50
),

extent AS (
  SELECT run, min(ts) AS first_ts, max(ts + dur) AS last_end
  FROM calls
  GROUP BY run
  HAVING count(*) FILTER (WHERE dur_p50 > 0 AND dur >= $factor * dur_p50) > 0
),

-- Distinct times of samples (there are fewer times than samples) and starts of long waits, in order of time. `till` is the latest end
-- of the long waits that have begun.
marked AS (
  SELECT run, ts, 0 AS kind, ts + dur AS till
  FROM long_waits
  UNION ALL
  SELECT s.run, s.ts, 1 AS kind, CAST(NULL AS bigint) AS till
  FROM system_sample AS s
  JOIN extent AS x ON x.run = s.run
  WHERE s.ts >= x.first_ts AND s.ts < x.last_end
  GROUP BY s.run, s.ts
),

placed AS (
  SELECT
    run,
    ts,
    kind,
    max(till) OVER (PARTITION BY run ORDER BY ts, kind ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS till
  FROM marked
),

measured AS (
  SELECT
    s.run,
    'sample' AS source,
    s.node,
    s.resource AS category,
    s.metric AS name,
    s.unit,
    avg(s.value) FILTER (WHERE p.till > p.ts) AS during,
    avg(s.value) FILTER (WHERE p.till <= p.ts OR p.till IS NULL) AS otherwise,
    count(*) FILTER (WHERE p.till > p.ts) AS n_during,
    count(*) FILTER (WHERE p.till <= p.ts OR p.till IS NULL) AS n_otherwise
  FROM placed AS p
  JOIN system_sample AS s ON s.run = p.run AND s.ts = p.ts
  WHERE p.kind = 1
  GROUP BY s.run, s.node, s.resource, s.metric, s.unit
),

clipped AS (
  SELECT
    e.run,
    e.category,
    e.name,
    greatest(e.ts, x.first_ts) AS ts,
    least(e.ts + e.dur, x.last_end) - greatest(e.ts, x.first_ts) AS dur
  FROM event AS e
  JOIN extent AS x ON x.run = e.run
  WHERE e.dur > 0 AND e.ts < x.last_end AND e.ts + e.dur > x.first_ts
),

-- Adds the long waits to the events of each name. The time in both is the sum of the two unions minus the union of all.
intervals AS (
  SELECT run, category, name, ts, dur, FALSE AS is_wait
  FROM clipped
  UNION ALL
  SELECT g.run, g.category, g.name, w.ts, w.dur, TRUE AS is_wait
  FROM (SELECT run, category, name FROM clipped GROUP BY run, category, name) AS g
  JOIN long_waits AS w ON w.run = g.run
),

overlaid AS (
  SELECT
    run,
    category,
    name,
    CAST(union_length(ts, dur) FILTER (WHERE NOT is_wait) AS double) AS busy,
    CAST(union_length(ts, dur) FILTER (WHERE is_wait) AS double) AS waited,
    CAST(union_length(ts, dur) AS double) AS either
  FROM intervals
  GROUP BY run, category, name
),

shared AS (
  SELECT
    o.run,
    'event' AS source,
    CAST(NULL AS text) AS node,
    o.category,
    o.name,
    'ratio' AS unit,
    (o.busy + o.waited - o.either) / nullif(o.waited, 0) AS during,
    (o.either - o.waited) / nullif(x.last_end - x.first_ts - o.waited, 0) AS otherwise,
    CAST(NULL AS bigint) AS n_during,
    CAST(NULL AS bigint) AS n_otherwise
  FROM overlaid AS o
  JOIN extent AS x ON x.run = o.run
),

compared AS (
  SELECT run, source, node, category, name, unit, during, otherwise, n_during, n_otherwise FROM measured
  UNION ALL
  SELECT run, source, node, category, name, unit, during, otherwise, n_during, n_otherwise FROM shared
)

SELECT *, during - otherwise AS difference
FROM compared
ORDER BY run, source, node, category, name, unit
