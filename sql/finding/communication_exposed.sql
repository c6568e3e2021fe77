-- Is communication hidden behind computation?
--
-- The part of the communicating kernels in which no kernel computed (HTA's overlap, turned around), where it costs a notable part of the step.
--
-- empty   there are no runs
--
-- param   high     double = 0.5   part not hidden above which it is high
-- param   notable  double = 0.05  share of the step from which it matters
--
-- cause    collectives start late, in one bucket at the end, or on the stream that computes
-- remedy   DistributedDataParallel with its buckets, or prefetch of FSDP; gradient accumulation
-- limits   0.5 our own, 0.05 TensorBoard plugin's for data
-- evidence kernel.comm_overlap, kernel.by_type
--
-- needs   evidence_rank, evidence_role

SELECT
  r.run,
  CAST(r.exposed AS double) / nullif(r.communication, 0) AS value,
  $high AS threshold,
  CASE
    WHEN CAST(r.exposed AS double) / nullif(r.communication, 0) > $high AND e.communication > $notable THEN 'notice'
  END AS severity,
  e.steps,
  TRY_CAST(r.exposed / e.ranks AS bigint) AS potential_saving,
  false AS gpu_busy,
  round(100 * CAST(r.exposed AS double) / nullif(r.communication, 0), 1)
  || ' % of the communication is hidden by no kernel, ' || round(100 * e.communication, 1) || ' % of the step' AS found,
  CASE
    WHEN r.communication = 0 THEN 'fine: no kernel communicates'
    ELSE
      'fine: ' || round(100 * CAST(r.exposed AS double) / nullif(r.communication, 0), 1)
      || ' % of the communication is hidden by no kernel, ' || round(100 * e.communication, 1) || ' % of the step'
  END AS passed,
  CASE WHEN r.communication IS NULL THEN 'needs the kernels of the collectives; record a trace with `torch.profiler` and ProfilerActivity.CUDA' END AS missing
FROM evidence_rank AS r
JOIN evidence_role AS e ON e.run = r.run
