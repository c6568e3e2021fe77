-- Does main memory keep growing?
--
-- The mean of the last tenth of the values lies above `factor` times that of the second tenth, and the means of the tenths go up in at
-- least `rising` of the nine changes between them (view `evidence_memory`, which picks the series). Of machines, main memory counts as a
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
-- needs   evidence_memory

SELECT
  run,
  host_growth AS value,
  $factor AS threshold,
  CASE WHEN host_growth > $factor AND host_rising >= $rising THEN 'warning' END AS severity,
  host_readings AS steps,
  CAST(NULL AS bigint) AS at_stake,
  CAST(NULL AS boolean) AS gpu_busy,
  host || ' grows: its last tenth is ' || round(host_growth, 2) || ' times its second, and ' || CAST(round(9 * host_rising) AS bigint)
  || ' of 9 changes between tenths go up' AS said,
  CASE
    WHEN host_growth > $factor
      THEN
        'fine: ' || host || ' ends at ' || round(host_growth, 2) || ' times its second tenth, but goes up in '
        || CAST(round(9 * host_rising) AS bigint) || ' of 9 changes only'
    ELSE 'fine: ' || host || ' ends at ' || round(host_growth, 2) || ' times its second tenth'
  END AS clear,
  CASE
    WHEN host IS NULL THEN 'needs samples of main memory while the training runs; record them with `tracelake record`'
    WHEN host_readings < $least
      THEN
        'needs at least ' || $least || ' samples of main memory while the training runs, and there are ' || host_readings
        || '; record for longer with `tracelake record`'
    WHEN host_growth IS NULL THEN 'needs samples of main memory while it is used: the second tenth of them is zero'
  END AS missing
FROM evidence_memory
