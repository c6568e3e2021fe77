-- Is there room for larger batches?
--
-- smdebug's rule BatchSize: of the last 500 values, at the end of a minute and after `patience` values, the 95th percentiles of the cores
-- (their mean), of a GPU and of its memory all lie below `limit`. Of all GPUs and minutes it is the least (view `evidence_minute`).
--
-- empty   there are no runs
--
-- param   limit     double = 0.7         95th percentile below which all three have room
-- param   patience  bigint >= 0 = 1000   values that there must be more than of each
--
-- cause    the machine is large for the batch
-- remedy   a larger batch, or a smaller machine
-- limits   0.7 after 1000 values, smdebug's rule BatchSize
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
  'for ' || least(w.n, 500) || ' samples the cores, ' || w.gpu || ' and its memory all stay below ' || round(w.room, 1)
  || ' % (95th percentile): there is room for larger batches' AS found,
  'fine: of the cores, a GPU and its memory one at least always reaches ' || round(w.room, 1) || ' % (95th percentile)' AS passed,
  CASE
    WHEN m.gpus IS NULL OR m.memory_readings IS NULL OR m.core_readings IS NULL
      THEN
        'needs samples of '
        || CASE WHEN m.gpus IS NULL THEN 'the GPU and its memory' WHEN m.memory_readings IS NULL THEN 'the memory of the GPU' ELSE 'the cores' END
        || '; record them with `tracelake record`'
    WHEN w.room IS NULL
      THEN
        'needs more than ' || $patience || ' samples of cores, GPU and its memory, and there are '
        || least(m.readings, m.memory_readings, m.core_readings) || '; record for longer with `tracelake record`'
  END AS missing
FROM evidence_machine AS m
LEFT JOIN (
  SELECT
    run,
    gpu,
    n,
    greatest(p95, memory_p95, cpu_p95) AS room,
    row_number() OVER (PARTITION BY run ORDER BY greatest(p95, memory_p95, cpu_p95), gpu, ts) AS place
  FROM evidence_minute
  WHERE n > $patience AND memory_n > $patience AND cpu_n > $patience
) AS w ON w.run = m.run AND w.place = 1
