-- Does the training stand still for checkpoints?
--
-- The share of the time of the steps that is long gaps between them in which something saved, or of the training that Lightning's SimpleProfiler reports
-- saving of (view `evidence_checkpoint`): above `notable` a notice, above `high` a warning. Long gaps of which nobody recorded
-- whether something saved cannot be told.
--
-- empty   there are no runs
--
-- param   high     double = 0.2   share above which it is high
-- param   notable  double = 0.05  share above which it is notable
--
-- cause    checkpoints are written while the training waits
-- remedy   save less often, save from a thread or process of its own, write to a local disk first
-- limits   our own, after the bands of loading: 0.05 and 0.2
-- evidence step.duration, step.intervals, action.summary
--
-- needs   evidence_checkpoint

SELECT
  run,
  share AS value,
  $notable AS threshold,
  CASE WHEN share > $high THEN 'warning' WHEN share > $notable THEN 'notice' END AS severity,
  steps,
  stalled AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  taken || CASE source WHEN 'report' THEN ', ' || round(stalled / 1e9 / held, 1) || ' s each' ELSE ', the longest ' || round(longest / 1e9, 1) || ' s' END
  || coalesce(' (rank ' || rank || ')', '') AS found,
  CASE
    WHEN source = 'report' AND held = 0 THEN 'fine: no checkpoint is in the report of Lightning''s profiler'
    WHEN gaps = 0 THEN 'fine: no gap between steps is as long as two steps'
    WHEN held = 0 THEN 'fine: in none of ' || gaps || ' long gaps between steps something is saved'
    ELSE 'fine: ' || taken
  END AS passed,
  CASE
    WHEN source IS NULL
      THEN
        'needs steps with their times, or a report of Lightning''s SimpleProfiler; record steps with `tracelake.record.Recorder`, or mark them '
        || 'in a trace with prof.step()'
    WHEN source = 'report' AND held IS NULL
      THEN 'needs the time of saving, which Lightning''s SimpleProfiler reports from release 2.5 on; use that'
    WHEN steps < 2 THEN 'needs at least two steps with their times in one recording; record for longer'
    WHEN gaps > 0 AND NOT marked
      THEN
        'needs to know what happens in ' || gaps || ' long gaps between steps, ' || round(still / 1e9, 1)
        || ' s together; annotate saving, or record the disks with `tracelake record`'
  END AS missing
FROM (
  SELECT
    *,
    CASE source
      WHEN 'report'
        THEN
          round(100 * share, 1) || ' % of the training is saving ' || held || CASE held WHEN 1 THEN ' checkpoint' ELSE ' checkpoints' END
      ELSE
        round(100 * share, 1) || ' % of the time is ' || held || CASE held WHEN 1 THEN ' gap' ELSE ' gaps' END
        || ' between steps in which something is saved'
    END AS taken
  FROM evidence_checkpoint
) AS c
