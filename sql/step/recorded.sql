-- What was recorded from one step of a run to another?
--
-- Everything that was measured and everything that ran from the start of step `first` to the end of step `last`, over all ranks.
-- Each mode and each recording has a stretch of time of its own; stretches that overlap are one. For samples the rows have their number, mean,
-- least and greatest value, each machine and quantity for itself. For events they have how many of that name touch the
-- stretch, the time in which at least one of them was running, clipped to the stretch, and its share.
--
-- `get_profiler_data_by_step` of smdebug gives the rows themselves, and only those events that carry a step number.
--
-- empty   no step has a number in this range (`step.over_time` tells), or nothing was recorded meanwhile
--
-- param   first     bigint = null   number of the first step; null for the first there is
-- param   last      bigint = null   number of the last step, which is included; null for the last there is
-- param   mode      text = null     only steps of this mode; null for all
--
-- column  run       text    id     run
-- column  source    text    name   `sample` for what the machines measured, `event` for what the framework recorded
-- column  node      text    id     machine of the samples; null for events, which are taken over all machines
-- column  category  text    name   resource of the samples, or category of the events
-- column  name      text    name   metric of the samples, or name of the events
-- column  unit      text    name   unit of mean, min and max; null for events
-- column  n         bigint  count  samples, or events that touch the stretch
-- column  mean      double  mixed  mean of the samples
-- column  min       double  mixed  least sample
-- column  max       double  mixed  greatest sample
-- column  busy      bigint  ns     time in which at least one such event was running
-- column  ratio     double  ratio  `busy` over the length of the stretch
--
-- needs   step_span, system_sample, event
-- order   run, source, node, category, name, unit
-- source  sagemaker_system, sagemaker_framework, kineto

WITH stretches AS (
  SELECT run, span, mode, min(ts) AS ts, max(ts + coalesce(dur, 0)) - min(ts) AS dur
  FROM step_span
  WHERE ($first IS NULL OR step >= $first) AND ($last IS NULL OR step <= $last) AND ($mode IS NULL OR mode = $mode)
  GROUP BY run, span, mode
),

-- Disjoint, so that nothing counts twice. `earlier_end` is that of the window before.
windows AS (
  SELECT
    run,
    spell['ts'] AS ts,
    spell['dur'] AS dur,
    lag(spell['ts'] + spell['dur']) OVER (PARTITION BY run ORDER BY spell['ts']) AS earlier_end
  FROM (
    SELECT run, unnest(union_intervals(ts, dur)) AS spell
    FROM stretches
    GROUP BY run
  ) AS spells
),

lengths AS (
  SELECT run, sum(dur) AS length
  FROM windows
  GROUP BY run
),

measured AS (
  SELECT
    s.run,
    'sample' AS source,
    s.node,
    s.resource AS category,
    s.metric AS name,
    s.unit,
    count(*) AS n,
    avg(s.value) AS mean,
    min(s.value) AS min,
    max(s.value) AS max,
    CAST(NULL AS bigint) AS busy,
    CAST(NULL AS double) AS ratio
  FROM system_sample AS s
  JOIN windows AS w ON w.run = s.run AND s.ts >= w.ts AND s.ts < w.ts + w.dur
  GROUP BY s.run, s.node, s.resource, s.metric, s.unit
),

-- An event that lies in two windows is there twice, with its two parts, and is new in the first.
clipped AS (
  SELECT
    e.run,
    e.category,
    e.name,
    w.earlier_end IS NULL OR e.ts >= w.earlier_end AS is_new,
    greatest(e.ts, w.ts) AS ts,
    least(e.ts + e.dur, w.ts + w.dur) - greatest(e.ts, w.ts) AS dur
  FROM event AS e
  JOIN windows AS w ON w.run = e.run AND e.ts < w.ts + w.dur AND e.ts + e.dur > w.ts
  WHERE e.dur > 0
),

ran AS (
  SELECT
    c.run,
    'event' AS source,
    NULL AS node,
    c.category,
    c.name,
    NULL AS unit,
    count(*) FILTER (WHERE c.is_new) AS n,
    CAST(NULL AS double) AS mean,
    CAST(NULL AS double) AS min,
    CAST(NULL AS double) AS max,
    union_length(c.ts, c.dur) AS busy,
    CAST(union_length(c.ts, c.dur) AS double) / l.length AS ratio
  FROM clipped AS c
  JOIN lengths AS l ON l.run = c.run
  GROUP BY c.run, c.category, c.name, l.length
),

recorded AS (
  SELECT run, source, node, category, name, unit, n, mean, min, max, busy, ratio FROM measured
  UNION ALL
  SELECT run, source, node, category, name, unit, n, mean, min, max, busy, ratio FROM ran
)

SELECT run, source, node, category, name, unit, n, mean, min, max, busy, ratio
FROM recorded
ORDER BY run, source, node, category, name, unit
