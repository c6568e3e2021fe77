-- Did the profiler itself take much of the time that it recorded?
--
-- The share of a recording in which the trace says that its own library worked (view `evidence_profiler`): above `notable` a notice, above
-- `high` a warning. Durations of such a recording are longer than those of the training without it.
--
-- empty   there are no runs
--
-- param   high     double = 0.2   share above which it is high
-- param   notable  double = 0.05  share above which it is notable
--
-- cause    the profiler asks for buffers, loads functions or writes them out while the training runs
-- remedy   more warm-up steps before the recording, fewer options (stacks, shapes, memory), shorter recordings
-- limits   our own, after the bands of loading: 0.05 and 0.2
-- evidence trace.timeline
--
-- needs   evidence_profiler

SELECT
  run,
  share AS value,
  $notable AS threshold,
  CASE WHEN share > $high THEN 'warning' WHEN share > $notable THEN 'notice' END AS severity,
  CAST(NULL AS bigint) AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  round(100 * share, 1) || ' % of the recording' || CASE WHEN recordings > 1 THEN coalesce(' of rank ' || rank, '') ELSE '' END
  || ' is the work of the profiler itself, most of it ' || name AS found,
  'fine: ' || round(100 * share, 1) || ' % of the recording is the work of the profiler itself' AS passed,
  CASE
    WHEN share IS NULL
      THEN 'needs a trace that names what profiling cost; PyTorch''s profiler writes it (category overhead) where it records a CUDA device'
  END AS missing
FROM evidence_profiler
