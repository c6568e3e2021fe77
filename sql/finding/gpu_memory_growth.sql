-- Does the memory of a GPU keep growing?
--
-- After 1000 samples in percent it is smdebug's rule GPUMemoryIncrease: the mean of ten values lies more than `points` percentage
-- points above that of the values before. Where there are fewer, or what an allocator handed out was logged instead, the last tenth of the values
-- is held against the second, as in `host_memory_growth`. `threshold` is the limit that counts.
--
-- empty   there are no runs
--
-- param   points  double = 5         percentage points of the memory of the device
-- param   factor  double = 1.1       how many times the second tenth the last one must be more than
-- param   rising  double = 0.8       share of the changes between tenths that must go up at least
-- param   least   bigint >= 10 = 50  values below which nothing is said
--
-- cause    tensors that are kept: losses summed with their graph, lists of outputs; or inputs that grow
-- remedy   release references; detach what is kept; bound the size of inputs
-- limits   5 points, ten values, after 1000: smdebug's rule GPUMemoryIncrease; of tenths our own
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
      THEN 'memory of ' || m.points_gpu || ' grows by ' || round(m.points, 1) || ' percentage points from ten values to the next'
    ELSE
      s.name || ' grows: its last tenth is ' || round(s.growth, 2) || ' times its second, and ' || TRY_CAST(round(9 * s.rising) AS bigint)
      || ' of 9 changes between tenths go up'
  END AS found,
  CASE
    WHEN m.points IS NOT NULL
      THEN
        'fine: memory of the GPUs grows by ' || round(m.points, 1) || ' percentage points at most from ten values to the next'
    WHEN s.growth > $factor
      THEN
        'fine: ' || s.name || ' ends at ' || round(s.growth, 2) || ' times its second tenth, but goes up in '
        || TRY_CAST(round(9 * s.rising) AS bigint) || ' of 9 changes only'
    ELSE 'fine: ' || s.name || ' ends at ' || round(s.growth, 2) || ' times its second tenth'
  END AS passed,
  CASE
    WHEN m.points IS NOT NULL THEN NULL
    WHEN s.name IS NULL THEN 'needs samples of the memory of the GPU while the training runs; record them with `tracelake record`'
    WHEN s.readings < $least
      THEN
        'needs at least ' || $least || ' samples of the memory of the GPU while the training runs, and there are ' || s.readings
        || '; record for longer with `tracelake record`'
    WHEN s.growth IS NULL THEN 'needs samples of the memory of the GPU while it is used: the second tenth of them is zero'
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
  WHERE side = 'gpu'
) AS s ON s.run = m.run AND s.place = 1
