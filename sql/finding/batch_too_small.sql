-- Is there room for larger batches?
--
-- smdebug's rule BatchSize: of the last 500 values, at the end of a minute and after 1000 values, the 95th percentiles of the cores
-- (their mean), of a GPU and of its memory all lie below `limit`. Of all GPUs and minutes it is the least (view `evidence_machine`).
--
-- empty   there are no runs
--
-- param   limit  double = 0.7  95th percentile below which all three have room
--
-- cause    the machine is large for the batch
-- remedy   a larger batch, or a smaller machine
-- limits   0.7 after 1000 values, smdebug's rule BatchSize
-- evidence rules.batch_size
--
-- needs   evidence_machine

SELECT
  run,
  room_p95 AS value,
  $limit AS threshold,
  CASE WHEN room_p95 < $limit THEN 'warning' END AS severity,
  readings AS steps,
  CAST(NULL AS bigint) AS at_stake,
  CAST(NULL AS boolean) AS gpu_busy,
  'for 500 samples the cores, ' || room_gpu || ' and its memory all stay below ' || round(100 * room_p95, 1)
  || ' % (95th percentile): there is room for larger batches' AS said,
  'fine: of the cores, a GPU and its memory one at least always reaches ' || round(100 * room_p95, 1) || ' % (95th percentile)' AS clear,
  CASE
    WHEN gpus IS NULL OR memory_readings IS NULL OR core_readings IS NULL
      THEN
        'needs samples of '
        || CASE WHEN gpus IS NULL THEN 'the GPU and its memory' WHEN memory_readings IS NULL THEN 'the memory of the GPU' ELSE 'the cores' END
        || '; record them with `tracelake record`'
    WHEN room_p95 IS NULL
      THEN
        'needs more than 1000 samples of cores, GPU and its memory, and there are '
        || least(readings, memory_readings, core_readings) || '; record for longer with `tracelake record`'
  END AS missing
FROM evidence_machine
