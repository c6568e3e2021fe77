-- What was recorded from one step of a run to another?
--
-- All samples and events from the start of step `first` to the end of step `last`, over all ranks. Each mode and each recording has its own
-- time range; ranges that overlap are merged. For samples, a row has their number, mean, minimum and maximum, separately for each machine
-- and quantity. For events, a row has the number of events of that name that touch the range. It also has the time in which at least one of
-- them was running, clipped to the range, and the share of that time.
--
-- `get_profiler_data_by_step` of smdebug returns the rows themselves, and only events that carry a step number.
--
-- empty   no step has a number in this range (`step.over_time` lists the steps), or nothing was recorded during these steps
--
-- param   first  bigint = null                             number of the first step; null for the first step of the run
-- param   last   bigint = null                             number of the last step (inclusive); null for the last step of the run
-- param   mode   text in train|eval|predict|global = null  only steps of this mode; null for all
--
-- column  run       text    id     name of the run
-- column  source    text    name   `sample` for what the machines measured, `event` for what the framework recorded
-- column  node      text    id     machine; null for events, which are taken over all machines
-- column  category  text    name   resource of the samples, or category of the events
-- column  name      text    name   metric of the samples, or name of the events
-- column  unit      text    name   unit as recorded; null for events
-- column  n         bigint  count  samples, or events that touch the stretch
-- column  mean      double  mixed  mean
-- column  min       double  mixed  minimum value
-- column  max       double  mixed  maximum value
-- column  busy      bigint  ns     time in which at least one ran
-- column  ratio     double  ratio  `busy` over the length of the stretch
--
-- needs   step_span, system_sample, event
-- order   run, source, node, category, name, unit
-- source  sagemaker_system, sagemaker_framework, kineto, nsys

WITH stretches AS (
  SELECT run, span, mode, min(ts) AS ts, max(ts + coalesce(dur, 0)) - min(ts) AS dur
  FROM step_span
  WHERE ($first IS NULL OR step >= $first) AND ($last IS NULL OR step <= $last) AND ($mode IS NULL OR mode = $mode)
  GROUP BY run, span, mode
),

-- Disjoint windows, so that nothing counts twice.
windows AS (
  SELECT run, union_intervals(ts, dur) AS windows, union_length(ts, dur) AS length
  FROM stretches
  GROUP BY run
),

-- Lists of samples: the join then compares samples and windows once, instead of joining every sample with every window.
sampled AS (
  SELECT
    run, node, resource, metric, unit, array_agg(named_struct('ts', ts, 'dur', CAST(1 AS bigint), 'value', value)) AS samples
  FROM system_sample
  WHERE ts IS NOT NULL
  GROUP BY run, node, resource, metric, unit
),

sample_inside AS (
  SELECT
    s.run, s.node, s.resource, s.metric, s.unit, unnest(s.samples) AS sample, unnest(covered(w.windows, s.samples)) AS inside
  FROM sampled AS s
  JOIN windows AS w ON w.run = s.run
),

measured AS (
  SELECT
    run,
    'sample' AS source,
    node,
    resource AS category,
    metric AS name,
    unit,
    count(*) AS n,
    avg(sample['value']) AS mean,
    min(sample['value']) AS min,
    max(sample['value']) AS max,
    CAST(NULL AS bigint) AS busy,
    CAST(NULL AS double) AS ratio
  FROM sample_inside
  WHERE inside > 0
  GROUP BY run, node, resource, metric, unit
),

named AS (
  SELECT run, category, name, union_intervals(ts, dur) AS busy, array_agg(named_struct('ts', ts, 'dur', dur)) AS events
  FROM event
  WHERE ts IS NOT NULL AND dur > 0
  GROUP BY run, category, name
),

touching AS (
  SELECT run, category, name, count(*) AS n
  FROM (
    SELECT e.run, e.category, e.name, unnest(covered(w.windows, e.events)) AS inside
    FROM named AS e
    JOIN windows AS w ON w.run = e.run
  ) AS each
  WHERE inside > 0
  GROUP BY run, category, name
),

running AS (
  SELECT run, category, name, length, sum(inside) AS busy
  FROM (
    SELECT e.run, e.category, e.name, w.length, unnest(covered(e.busy, w.windows)) AS inside
    FROM named AS e
    JOIN windows AS w ON w.run = e.run
  ) AS each
  GROUP BY run, category, name, length
),

ran AS (
  SELECT
    r.*,
    'event' AS source,
    NULL AS node,
    NULL AS unit,
    t.n,
    CAST(NULL AS double) AS mean,
    CAST(NULL AS double) AS min,
    CAST(NULL AS double) AS max,
    CAST(r.busy AS double) / r.length AS ratio
  FROM running AS r
  JOIN touching AS t
    ON t.run = r.run AND (t.category IS NOT DISTINCT FROM r.category) AND (t.name IS NOT DISTINCT FROM r.name)
)

SELECT run, source, node, category, name, unit, n, mean, min, max, busy, ratio
FROM measured
UNION ALL
SELECT run, source, node, category, name, unit, n, mean, min, max, busy, ratio
FROM ran
ORDER BY run, source, node, category, name, unit
