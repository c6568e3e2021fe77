-- Does one rank delay the other ranks?
--
-- Checks the rank that delays the others most because it arrives last at collectives (view `evidence_rank`). The value is this delay minus that of
-- the rank with the next largest delay, divided by step time. If different ranks are late alternately, the value is small. The sentence names the
-- activity that takes the most extra time on that rank compared with the others.
--
-- empty   there are no runs
--
-- param   warning   double in 0..1 = 0.1  share of step time above which the finding is a warning
-- param   critical  double in 0..1 = 0.2  share of step time above which the finding is critical
--
-- cause    one rank loads, computes or is scheduled more slowly, and the others wait for it in their collectives
-- remedy   check that rank: its data, its machine, its share of the work
-- limits   0.1 warning (traceml); 0.2 critical (traceml)
-- evidence rank.stragglers, rank.imbalance, rank.communication
--
-- needs   evidence_rank, evidence_role

SELECT
  run,
  late_relative AS value,
  CASE WHEN late_relative > $critical THEN $critical ELSE $warning END AS threshold,
  CASE WHEN late_relative > $critical THEN 'critical' WHEN late_relative > $warning THEN 'warning' END AS severity,
  steps,
  late_excess AS potential_saving,
  total AS saving_base,
  CASE late_role WHEN 'loader' THEN CASE WHEN late_rank = load_rank THEN 'loader_straggler, ' ELSE '' END || 'load_share_high' END AS explained_by,
  false AS gpu_busy,
  'rank ' || late_rank || ' delays the other ranks for ' || round(100 * late_relative, 1) || ' % of step time (limit: ' || round(100 * CASE WHEN late_relative > $critical THEN $critical ELSE $warning END, 1)
  || ' %); it arrives last at ' || round(100 * late_last, 1) || ' % of ' || collectives || ' collectives'
  || coalesce(
    ' and spends ' || format_amount(late_role_extra, 'ns') || ' more per step ' || CASE late_role
      WHEN 'kernel' THEN 'computing on the device'
      WHEN 'memcpy' THEN 'copying'
      WHEN 'memset' THEN 'setting memory'
      WHEN 'runtime' THEN 'in runtime calls'
      WHEN 'loader' THEN 'waiting for data'
      WHEN 'cpu' THEN 'on host work'
      ELSE 'without recorded work'
    END,
    ''
  ) AS found,
  'no rank delays the other ranks for more than ' || round(100 * late_relative, 1) || ' % of step time' AS passed,
  CASE
    WHEN coalesce(world_size, ranks) = 1 THEN 'needs several ranks, and there is one'
    WHEN late_relative IS NULL
      THEN 'needs the collectives of at least two ranks; record a trace on each rank and ingest the folder as one run'
  END AS missing
FROM (
  SELECT r.*, e.steps, e.total, CAST(r.late_excess AS double) / nullif(e.total, 0) AS late_relative
  FROM evidence_rank AS r
  JOIN evidence_role AS e ON e.run = r.run
) AS r
