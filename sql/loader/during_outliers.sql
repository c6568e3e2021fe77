-- What did the machines and the framework do while the training process waited unusually long for a batch?
--
-- A long wait is a call for a batch that lasted at least `factor` times the median of its run, on any rank. Everything
-- recorded during these waits is compared with everything else between the start of the first call and the end of the
-- last one, so that set-up and wind-up do not count. For samples the values are means, each machine and quantity for
-- itself. For events they are shares of the time: in 0.25 of the long waits at least one event of that name was running.
-- Events that overlap count once, and an event that reaches into a long wait counts with the part inside.
--
-- A run without a long wait gives no rows. Waits are often shorter than the pause between two samples: `n_during` says
-- how many samples a mean rests on. Events of the loader itself are among the rows, and show the waits.
--
-- Left out: waits of an ideal replay, everything without a time, and events without a length.
--
-- empty   no wait was so much longer than usual, or no call for a batch was recorded (`loader.next` tells)
--
-- param   factor       double = 2.0   how many times the median a wait must last
--
-- column  run          text    id     run
-- column  source       text    name   `sample` for what the machines measured, `event` for what the framework recorded
-- column  node         text    id     machine of the samples; null for events, which are taken over all machines
-- column  category     text    name   resource of the samples, or category of the events
-- column  name         text    name   metric of the samples, or name of the events
-- column  unit         text    name   unit of the values; `ratio` for events
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

-- Times of samples, of which there are fewer than samples, and starts of long waits in order: `till` is the latest end of a long wait
-- that has begun.
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

-- The long waits stand beside the events of each name: the time in both is the sum of the two unions less the union of all.
beside AS (
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
  FROM beside
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

SELECT
  run,
  source,
  node,
  category,
  name,
  unit,
  during,
  otherwise,
  during - otherwise AS difference,
  n_during,
  n_otherwise
FROM compared
ORDER BY run, source, node, category, name, unit
