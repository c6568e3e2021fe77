-- What did the framework spend its time on?
--
-- smdebug's rule OverallFrameworkMetrics, over the whole run. One row per part and name, with the share of the name in its part. The parts
-- are: `ratio`, the host and the devices; `cpu`, each operator; `gpu`, each kernel, copy and fill; `phase`, the steps of each mode and the
-- gaps between the steps (`others`); `forward_backward`, the modules in forward and in backward passes; `general`, everything else, by its
-- track. Events of one process that overlap count once; the times of several processes add up. The rule is never triggered.
--
-- smdebug adds up durations, excludes operators below 2 percent, and subtracts its `others` from the gaps a second time.
--
-- Excluded: events without a time, and events that last more than a week.
--
-- empty   no framework event was recorded; SageMaker's framework profiling, PyTorch traces and exports of Nsight Systems contain them
--
-- column  run         text     id     name of the run
-- column  part        text     name   ratio, cpu, gpu, phase, forward_backward or general
-- column  name        text     name   host or device, operator, mode, pass or track
-- column  triggered   boolean  flag   whether the rule is triggered
-- column  violations  bigint   count  always 0
-- column  datapoints  bigint   count  events
-- column  dur         bigint   ns     time in which at least one of them ran, summed over the processes
-- column  ratio       double   ratio  share of `dur` of all names of the part
--
-- needs   timed_event
-- order   run, part, name
-- source  sagemaker_framework, kineto, nsys

WITH sorted AS (
  SELECT
    * EXCLUDE (name),
    CASE
      WHEN category = 'operator' THEN 'cpu'
      WHEN category IN ('kernel', 'memcpy', 'memset') THEN 'gpu'
      WHEN category = 'step' THEN 'phase'
      WHEN track IN ('Forward-SubModuleInternal', 'Backward-SubModuleInternal') THEN 'forward_backward'
      ELSE 'general'
    END AS part,
    CASE
      WHEN category IN ('operator', 'kernel', 'memcpy', 'memset') THEN name
      WHEN category = 'step' THEN coalesce(mode, 'step')
      WHEN track = 'Forward-SubModuleInternal' THEN 'forward'
      WHEN track = 'Backward-SubModuleInternal' THEN 'backward'
      ELSE track
    END AS name
  FROM timed_event
  WHERE ts IS NOT NULL
),

named AS (
  SELECT run, node, rank, span, part, name, count(*) AS n, union_length(ts, dur) AS dur
  FROM sorted
  GROUP BY run, node, rank, span, part, name
  UNION ALL
  SELECT
    run,
    node,
    rank,
    span,
    'ratio' AS part,
    CASE part WHEN 'cpu' THEN 'host' ELSE 'device' END AS name,
    count(*) AS n,
    union_length(ts, dur) AS dur
  FROM sorted
  WHERE part IN ('cpu', 'gpu')
  GROUP BY run, node, rank, span, part
  UNION ALL
  SELECT
    run,
    node,
    rank,
    span,
    'phase' AS part,
    'others' AS name,
    0 AS n,
    max(ts + dur) - min(ts) - union_length(ts, dur) AS dur
  FROM sorted
  WHERE part = 'phase'
  GROUP BY run, node, rank, span
)

SELECT
  run,
  part,
  name,
  sum(n) AS datapoints,
  sum(dur) AS dur,
  false AS triggered,
  CAST(0 AS bigint) AS violations,
  CAST(sum(dur) AS double) / nullif(sum(sum(dur)) OVER (PARTITION BY run, part), 0) AS ratio
FROM named
GROUP BY run, part, name
ORDER BY run, part, name
