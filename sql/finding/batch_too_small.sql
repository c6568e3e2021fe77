-- Is there room for larger batches?
--
-- This is smdebug's rule BatchSize, evaluated at the end of each minute once there are more than `patience` values. It takes the 95th percentile of
-- the last 500 values of three series: the mean utilization of the cores, the utilization of a GPU, and the use of the memory of that GPU. All three
-- percentiles must be below `limit`. The largest of the three counts. The value is its minimum over all GPUs and minutes (view `evidence_minute`).
--
-- empty   there are no runs
--
-- param   limit     double in 0..1 = 0.7  95th percentile below which cores, GPU and memory have room
-- param   patience  bigint in 0.. = 1000  number of values of each series; more than this many are required
--
-- cause    the machine is larger than the batch needs
-- remedy   increase the batch size, or use a smaller machine
-- limits   0.7 limit (smdebug's rule BatchSize); 1000 patience (smdebug's rule BatchSize)
-- evidence rules.batch_size
--
-- needs   evidence_machine, evidence_minute

SELECT
  m.run,
  w.room / 100 AS value,
  $limit AS threshold,
  CASE WHEN w.room / 100 < $limit THEN 'warning' END AS severity,
  m.readings AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'within ' || least(w.n, 500) || ' samples the 95th percentiles of the cores, ' || w.gpu || ' and its memory are at most ' || round(w.room, 1)
  || ' % (limit: ' || round(100 * $limit, 1) || ' %): there is room for larger batches' AS found,
  'in every minute, the 95th percentile of the cores, the GPU or its memory is at least ' || round(w.room, 1) || ' %' AS passed,
  CASE
    WHEN m.gpus IS NULL OR m.memory_readings IS NULL OR m.core_readings IS NULL
      THEN
        'needs samples of '
        || CASE WHEN m.gpus IS NULL THEN 'the GPU and its memory' WHEN m.memory_readings IS NULL THEN 'the memory of the GPU' ELSE 'the cores' END
        || '; record them with `tracelake record`'
    WHEN w.room IS NULL
      THEN
        'needs more than ' || $patience || ' samples of the cores, the GPU and its memory, and there are '
        || least(m.readings, m.memory_readings, m.core_readings) || '; record for longer with `tracelake record`'
  END AS missing
FROM evidence_machine AS m
LEFT JOIN (
  SELECT run, gpu, n, greatest(p95, memory_p95, cpu_p95) AS room
  FROM evidence_minute
  WHERE n > $patience AND memory_n > $patience AND cpu_n > $patience
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY room, gpu, ts) = 1
) AS w ON w.run = m.run
