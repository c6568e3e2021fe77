-- Does one rank hold the others up?
--
-- The rank that came last to its collectives for longest (view `evidence_rank`): how much longer than the rank after it, over the time of its steps.
-- Ranks that take turns accuse nobody. What it has most more of than others stands in the sentence.
--
-- empty   there are no runs
--
-- param   high    double = 0.1  share of the step time above which it is high
-- param   severe  double = 0.2  share above which it is severe
--
-- cause    one rank loads, computes or is scheduled slower, and the others wait for it in their collectives
-- remedy   a look at that rank: its data, its machine, its share of the work
-- limits   0.1 and 0.2 traceml
-- evidence rank.stragglers, rank.imbalance, rank.communication
--
-- needs   evidence_rank, evidence_role

SELECT
  run,
  late_relative AS value,
  $high AS threshold,
  CASE WHEN late_relative > $severe THEN 'critical' WHEN late_relative > $high THEN 'warning' END AS severity,
  steps,
  late AS potential_saving,
  false AS gpu_busy,
  'rank ' || late_rank || ' holds the others up for ' || round(100 * late_relative, 1) || ' % of the step time; it comes last to '
  || round(100 * late_last, 1) || ' % of ' || collectives || ' collectives'
  || coalesce(
    ' and has ' || round(late_role_extra / 1e6, 3) || ' ms more ' || CASE late_role
      WHEN 'kernel' THEN 'computing on the device'
      WHEN 'memcpy' THEN 'copying'
      WHEN 'memset' THEN 'filling'
      WHEN 'runtime' THEN 'time in calls into the runtime'
      WHEN 'loader' THEN 'waiting for data'
      WHEN 'cpu' THEN 'work of the host'
      ELSE 'time with nothing on record'
    END || ' per step',
    ''
  ) AS found,
  'fine: no rank holds the others up for more than ' || round(100 * late_relative, 1) || ' % of the step time' AS passed,
  CASE
    WHEN coalesce(world_size, ranks) = 1 THEN 'needs several ranks, there is one'
    WHEN late_relative IS NULL
      THEN 'needs the collectives of at least two ranks; record a trace on each rank and ingest the folder as one run'
  END AS missing
FROM (
  SELECT r.*, e.steps, CAST(r.late AS double) / nullif(e.total, 0) AS late_relative
  FROM evidence_rank AS r
  JOIN evidence_role AS e ON e.run = r.run
) AS r
