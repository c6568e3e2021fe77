-- Does the memory use of a GPU keep growing?
--
-- With more than 1000 samples in percent, this is smdebug's rule GPUMemoryIncrease: the mean of ten values exceeds the mean of the values before by
-- more than `points` percentage points. With fewer samples, or if the memory allocated by an allocator was logged instead, the last tenth of the
-- values is compared with the second tenth, as in `host_memory_growth`. Column `threshold` has the limit that applies.
--
-- empty   there are no runs
--
-- param   points      double = 5            growth in percentage points of device memory above which the finding is a warning
-- param   factor      double = 1.1          ratio of the last tenth to the second tenth above which memory grows
-- param   rising      double in 0..1 = 0.8  minimum share of the changes between tenths that go up
-- param   min_values  bigint in 10.. = 50   minimum number of values
--
-- cause    tensors that stay referenced: losses summed with their graph, lists of outputs; or inputs that grow
-- remedy   release references; detach tensors before you store them; limit the size of inputs
-- limits   5 points (smdebug's rule GPUMemoryIncrease, for ten values after 1000); 1.1 factor (our own); 0.8 rising (our own); 50 min_values (our own)
-- evidence rules.gpu_memory_increase, utilization.device_stats, memory.curve
--
-- needs   evidence_memory, evidence_growth

SELECT
  m.run,
  coalesce(m.points, s.growth) AS value,
  CASE WHEN m.points IS NOT NULL THEN $points ELSE $factor END AS threshold,
  CASE
    WHEN m.points IS NOT NULL THEN CASE WHEN m.points > $points THEN 'warning' END
    WHEN s.growth > $factor AND s.rising >= $rising THEN 'warning'
  END AS severity,
  CASE WHEN m.points IS NOT NULL THEN m.points_readings ELSE s.readings END AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  CASE
    WHEN m.points IS NOT NULL
      THEN 'memory of ' || m.points_gpu || ' grows by ' || round(m.points, 1) || ' percentage points from ten values to the next (limit: '
        || round($points, 1) || ')'
    ELSE
      s.name || ' grows: the last tenth of the values is ' || round(s.growth, 2) || ' times the second tenth (limit: ' || round($factor, 2)
      || '), and ' || TRY_CAST(round(9 * s.rising) AS bigint) || ' of 9 changes between tenths go up'
  END AS found,
  CASE
    WHEN m.points IS NOT NULL
      THEN
        'memory of the GPUs grows by at most ' || round(m.points, 1) || ' percentage points from ten values to the next'
    WHEN s.growth > $factor
      THEN
        s.name || ': the last tenth of the values is ' || round(s.growth, 2) || ' times the second tenth, but only '
        || TRY_CAST(round(9 * s.rising) AS bigint) || ' of 9 changes between tenths go up'
    ELSE s.name || ': the last tenth of the values is ' || round(s.growth, 2) || ' times the second tenth'
  END AS passed,
  CASE
    WHEN m.points IS NOT NULL THEN NULL
    WHEN s.name IS NULL
      THEN 'needs samples of the memory of the GPU during training; record them with `tracelake record` or Lightning''s DeviceStatsMonitor'
    WHEN s.readings < $min_values
      THEN
        'needs at least ' || $min_values || ' samples of the memory of the GPU during training, and there are ' || s.readings
        || '; record for longer with `tracelake record`'
    WHEN s.growth IS NULL THEN 'needs samples of the memory of the GPU in use: the second tenth of the samples is zero'
  END AS missing
FROM evidence_memory AS m
LEFT JOIN (
  SELECT *
  FROM evidence_growth
  WHERE side = 'gpu'
  QUALIFY row_number() OVER (
    PARTITION BY run
    ORDER BY rising >= $rising AND readings >= $min_values DESC, readings >= $min_values DESC, growth DESC NULLS LAST, name
  ) = 1
) AS s ON s.run = m.run
