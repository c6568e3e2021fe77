-- Does main memory keep growing?
--
-- The mean of the last tenth of the values lies above `factor` times that of the second tenth, and the means of the tenths go up in at
-- least `rising` of the nine changes between them (view `evidence_growth`). Of several series it is one that goes up so often, if there is one,
-- and of those the one that grows most. Of machines, main memory counts as a
-- whole; of recordings with `tracelake record`, each process, too.
--
-- empty   there are no runs
--
-- param   factor  double = 1.1       how many times the second tenth the last one must be more than
-- param   rising  double = 0.8       share of the changes that must go up at least
-- param   least   bigint >= 10 = 50  values below which nothing is said
--
-- cause    a leak: batches that are kept, files that are not closed, workers that keep what they loaded
-- remedy   keep no batches; close files in the item function; persistent_workers=False; fewer batches ahead
-- limits   our own: PyTorch's tutorial says growing and no number
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
  s.name || ' grows: its last tenth is ' || round(s.growth, 2) || ' times its second, and ' || TRY_CAST(round(9 * s.rising) AS bigint)
  || ' of 9 changes between tenths go up' AS found,
  CASE
    WHEN s.growth > $factor
      THEN
        'fine: ' || s.name || ' ends at ' || round(s.growth, 2) || ' times its second tenth, but goes up in '
        || TRY_CAST(round(9 * s.rising) AS bigint) || ' of 9 changes only'
    ELSE 'fine: ' || s.name || ' ends at ' || round(s.growth, 2) || ' times its second tenth'
  END AS passed,
  CASE
    WHEN s.name IS NULL THEN 'needs samples of main memory while the training runs; record them with `tracelake record`'
    WHEN s.readings < $least
      THEN
        'needs at least ' || $least || ' samples of main memory while the training runs, and there are ' || s.readings
        || '; record for longer with `tracelake record`'
    WHEN s.growth IS NULL THEN 'needs samples of main memory while it is used: the second tenth of them is zero'
  END AS missing
FROM evidence_memory AS m
LEFT JOIN (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY run
      ORDER BY
        CASE WHEN rising >= $rising AND readings >= $least THEN 0 ELSE 1 END,
        CASE WHEN readings >= $least THEN 0 ELSE 1 END,
        growth DESC NULLS LAST,
        name
    ) AS place
  FROM evidence_growth
  WHERE side = 'host'
) AS s ON s.run = m.run AND s.place = 1
