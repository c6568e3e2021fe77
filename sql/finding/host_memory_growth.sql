-- Does the use of main memory keep growing?
--
-- The mean of the last tenth of the values is above `factor` times that of the second tenth, and at least `rising` of the nine changes between the
-- means of the tenths go up (view `evidence_growth`). The main memory of each machine is one series. In recordings of `tracelake record`, each
-- process is also a series. The finding checks one series: the one that grows most. Series that go up that often have priority.
--
-- empty   there are no runs
--
-- param   factor      double = 1.1          ratio of the last tenth to the second tenth above which memory grows
-- param   rising      double in 0..1 = 0.8  minimum share of the changes between tenths that go up
-- param   min_values  bigint in 10.. = 50   minimum number of values
--
-- cause    a leak: batches that stay referenced, files that are not closed, workers that cache what they loaded
-- remedy   do not store batches; close files in the item function; if it is the workers that grow, persistent_workers=False limits the growth, but each epoch then starts more slowly
-- limits   1.1 factor (our own); 0.8 rising (our own); 50 min_values (our own); growing memory (PyTorch's tutorial, without a number)
-- evidence utilization.over_time, utilization.device_stats
--
-- needs   evidence_memory, evidence_growth

SELECT
  m.run,
  s.growth AS value,
  $factor AS threshold,
  CASE WHEN s.growth > $factor AND s.rising >= $rising THEN 'warning' END AS severity,
  s.readings AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  s.name || ' grows: the last tenth of the values is ' || round(s.growth, 2) || ' times the second tenth (limit: ' || round($factor, 2)
  || '), and ' || TRY_CAST(round(9 * s.rising) AS bigint) || ' of 9 changes between tenths go up' AS found,
  CASE
    WHEN s.growth > $factor
      THEN
        s.name || ': the last tenth of the values is ' || round(s.growth, 2) || ' times the second tenth, but only '
        || TRY_CAST(round(9 * s.rising) AS bigint) || ' of 9 changes between tenths go up'
    ELSE s.name || ': the last tenth of the values is ' || round(s.growth, 2) || ' times the second tenth'
  END AS passed,
  CASE
    WHEN s.name IS NULL THEN 'needs samples of main memory during training; record them with `tracelake record` or Lightning''s DeviceStatsMonitor'
    WHEN s.readings < $min_values
      THEN
        'needs at least ' || $min_values || ' samples of main memory during training, and there are ' || s.readings
        || '; record for longer with `tracelake record`'
    WHEN s.growth IS NULL THEN 'needs samples of main memory in use: the second tenth of the samples is zero'
  END AS missing
FROM evidence_memory AS m
LEFT JOIN (
  SELECT *
  FROM evidence_growth
  WHERE side = 'host'
  QUALIFY row_number() OVER (
    PARTITION BY run
    ORDER BY rising >= $rising AND readings >= $min_values DESC, readings >= $min_values DESC, growth DESC NULLS LAST, name
  ) = 1
) AS s ON s.run = m.run
