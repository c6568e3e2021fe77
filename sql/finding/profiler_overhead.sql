-- Did the profiler itself take much of the recorded time?
--
-- The value is the share of a recording in which the trace reports work of the profiling library (view `evidence_profiler`). Above `notice` the finding
-- is a notice, above `warning` a warning. Durations in such a recording are longer than in training without the profiler.
--
-- empty   there are no runs
--
-- param   warning  double in 0..1 = 0.2   share above which the finding is a warning
-- param   notice   double in 0..1 = 0.05  share above which the finding is a notice
--
-- cause    the profiler requests buffers, loads functions or flushes buffers while training runs
-- remedy   add warm-up steps before the recording, disable options (stacks, shapes, memory), make recordings shorter
-- limits   0.05 notice (our own, as for loading); 0.2 warning (our own, as for loading)
-- evidence trace.timeline
--
-- needs   evidence_profiler

SELECT
  run,
  share AS value,
  limit_reached AS threshold,
  CASE WHEN share > $warning THEN 'warning' WHEN share > $notice THEN 'notice' END AS severity,
  CAST(NULL AS bigint) AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'the profiler itself takes ' || round(100 * share, 1) || ' % of the recording'
  || CASE WHEN recordings > 1 THEN coalesce(' of rank ' || rank, '') ELSE '' END
  || ' (limit: ' || round(100 * limit_reached, 1) || ' %), most of it ' || name AS found,
  'the profiler itself takes ' || round(100 * share, 1) || ' % of the recording' AS passed,
  CASE
    WHEN share IS NULL
      THEN 'needs a trace that reports the profiling overhead; PyTorch''s profiler reports it (category `overhead`) if it records a CUDA device'
  END AS missing
FROM (
  SELECT *, CASE WHEN share > $warning THEN $warning ELSE $notice END AS limit_reached
  FROM evidence_profiler
) AS p
