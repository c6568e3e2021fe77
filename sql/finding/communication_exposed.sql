-- Is most of the communication exposed, that is, not hidden by computation?
--
-- The value is the share of communication kernel time during which no compute kernel runs (exposed communication: 1 minus HTA's overlap). The finding
-- also requires that exposed communication takes more than `notable` of step time.
--
-- empty   there are no runs
--
-- param   high     double in 0..1 = 0.5   share of communication time above which exposed communication is high
-- param   notable  double in 0..1 = 0.05  share of step time above which exposed communication matters
--
-- cause    collectives start late, run in one bucket at the end, or run on the compute stream
-- remedy   use DistributedDataParallel with its buckets, FSDP with prefetching, or gradient accumulation
-- limits   0.5 high (our own); 0.05 notable (TensorBoard plugin's limit for data)
-- evidence kernel.comm_overlap, kernel.by_type
--
-- needs   evidence_rank, evidence_role

SELECT
  r.run,
  CAST(r.exposed AS double) / nullif(r.communication, 0) AS value,
  $high AS threshold,
  CASE
    WHEN CAST(r.exposed AS double) / nullif(r.communication, 0) > $high AND e.communication_ratio > $notable THEN 'notice'
  END AS severity,
  e.steps,
  TRY_CAST(r.exposed / e.ranks AS bigint) AS potential_saving,
  e.total AS saving_base,
  'rank_straggler' AS explained_by,
  false AS gpu_busy,
  round(100 * CAST(r.exposed AS double) / nullif(r.communication, 0), 1)
  || ' % of communication time is not hidden by computation (limit: ' || round(100 * $high, 1) || ' %); it takes '
  || round(100 * e.communication_ratio, 1) || ' % of step time' AS found,
  CASE
    WHEN r.communication = 0 THEN 'no kernel communicates'
    ELSE
      round(100 * CAST(r.exposed AS double) / nullif(r.communication, 0), 1)
      || ' % of communication time is not hidden by computation; it takes ' || round(100 * e.communication_ratio, 1) || ' % of step time'
  END AS passed,
  CASE WHEN r.communication IS NULL OR e.has_device IS NULL THEN 'needs the kernels of the collectives; record a trace with `torch.profiler` and the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU)' END AS missing
FROM evidence_rank AS r
JOIN evidence_role AS e ON e.run = r.run
