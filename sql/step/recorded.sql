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
  SELECT run, span, mode, min(ts) AS ts, max(coalesce(end_ts, ts)) - min(ts) AS dur
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

-- The windows are disjoint: the time within them is compared as one list with one list of each run. A join by time would compare each
-- sample and event with each window.
sample_listed AS (
  SELECT
    run,
    array_agg(
      named_struct(
        'node', node,
        'resource', resource,
        'metric', metric,
        'unit', unit,
        'ts', ts,
        'dur', CAST(1 AS bigint),
        'value', value
      )
    ) AS samples
  FROM system_sample
  WHERE ts IS NOT NULL
  GROUP BY run
),

sample_inside AS (
  SELECT l.run, unnest(l.samples) AS sample, unnest(covered(w.windows, l.samples)) AS inside
  FROM sample_listed AS l
  JOIN windows AS w ON w.run = l.run
),

measured AS (
  SELECT
    run,
    'sample' AS source,
    sample['node'] AS node,
    sample['resource'] AS category,
    sample['metric'] AS name,
    sample['unit'] AS unit,
    count(*) AS n,
    avg(sample['value']) AS mean,
    min(sample['value']) AS min,
    max(sample['value']) AS max,
    CAST(NULL AS bigint) AS busy,
    CAST(NULL AS double) AS ratio
  FROM sample_inside
  WHERE inside > 0
  GROUP BY run, sample['node'], sample['resource'], sample['metric'], sample['unit']
),

named AS (
  SELECT
    run,
    category,
    name,
    row_number() OVER (PARTITION BY run ORDER BY category, name) AS number,
    union_intervals(ts, dur) AS busy
  FROM event
  WHERE ts IS NOT NULL AND dur > 0
  GROUP BY run, category, name
),

-- The events, and for each name the intervals in which at least one ran.
listed AS (
  SELECT run, is_event, array_agg(named_struct('number', number, 'ts', ts, 'dur', dur)) AS parts
  FROM (
    SELECT n.run, n.number, e.ts, e.dur, TRUE AS is_event
    FROM named AS n
    JOIN event AS e
      ON e.run = n.run AND (e.category IS NOT DISTINCT FROM n.category) AND (e.name IS NOT DISTINCT FROM n.name)
    WHERE e.ts IS NOT NULL AND e.dur > 0
    UNION ALL
    SELECT run, number, part['ts'] AS ts, part['dur'] AS dur, FALSE AS is_event
    FROM (SELECT run, number, unnest(busy) AS part FROM named) AS each
  ) AS parts
  GROUP BY run, is_event
),

running AS (
  SELECT
    run,
    part['number'] AS number,
    length,
    count(*) FILTER (WHERE is_event AND inside > 0) AS n,
    sum(CASE WHEN is_event THEN 0 ELSE inside END) AS busy
  FROM (
    SELECT l.run, l.is_event, w.length, unnest(l.parts) AS part, unnest(covered(w.windows, l.parts)) AS inside
    FROM listed AS l
    JOIN windows AS w ON w.run = l.run
  ) AS each
  GROUP BY run, part['number'], length
),

ran AS (
  SELECT
    n.run,
    n.category,
    n.name,
    'event' AS source,
    NULL AS node,
    NULL AS unit,
    r.n,
    CAST(NULL AS double) AS mean,
    CAST(NULL AS double) AS min,
    CAST(NULL AS double) AS max,
    r.busy,
    CAST(r.busy AS double) / r.length AS ratio
  FROM running AS r
  JOIN named AS n ON n.run = r.run AND n.number = r.number
  WHERE r.n > 0
)

SELECT run, source, node, category, name, unit, n, mean, min, max, busy, ratio
FROM measured
UNION ALL
SELECT run, source, node, category, name, unit, n, mean, min, max, busy, ratio
FROM ran
ORDER BY run, source, node, category, name, unit
