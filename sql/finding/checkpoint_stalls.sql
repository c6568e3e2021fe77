-- Does training stop while checkpoints are saved?
--
-- The value is the share of time, from the first to the last step, that is spent in long gaps between steps during which something was saved. A gap
-- is long if it lasts at least twice the median step. With a report of Lightning's SimpleProfiler, the value is the share of training time that the
-- report attributes to saving. View `evidence_checkpoint` has the details. Above `notice` the finding is a notice, above `warning` a warning. If no
-- recording shows whether something was saved in the long gaps, there is not enough data.
--
-- empty   there are no runs
--
-- param   warning  double in 0..1 = 0.2   share above which the finding is a warning
-- param   notice   double in 0..1 = 0.05  share above which the finding is a notice
--
-- cause    training waits while checkpoints are written
-- remedy   save less often, save in a separate thread or process, or write to a local disk first
-- limits   0.05 notice (our own, as for loading); 0.2 warning (our own, as for loading)
-- evidence step.duration, step.intervals, action.summary
--
-- needs   evidence_checkpoint

SELECT
  run,
  share AS value,
  limit_reached AS threshold,
  CASE WHEN share > $warning THEN 'warning' WHEN share > $notice THEN 'notice' END AS severity,
  steps,
  stall_dur AS potential_saving,
  total AS saving_base,
  CAST(NULL AS boolean) AS gpu_busy,
  summary || CASE source WHEN 'report' THEN ', ' || format_amount(stall_dur / CAST(stalls AS double), 'ns') || ' each' ELSE ', the longest ' || format_amount(stall_max, 'ns') END
  || coalesce(', on rank ' || rank, '') || ' (limit: ' || round(100 * limit_reached, 1) || ' %)' AS found,
  CASE
    WHEN source = 'report' AND stalls = 0 THEN 'Lightning''s profiler reported no checkpoint'
    WHEN gaps = 0 THEN 'no gap between steps is as long as twice the median step'
    WHEN stalls = 0 THEN 'nothing was saved in the ' || gaps || ' long gaps between steps'
    ELSE summary
  END AS passed,
  CASE
    WHEN source IS NULL
      THEN
        'needs steps with their times, or a report of Lightning''s SimpleProfiler; record steps with `tracelake.record.Recorder`, or mark them '
        || 'in a trace with prof.step()'
    WHEN source = 'report' AND stalls IS NULL
      THEN 'needs the time spent saving, which Lightning''s SimpleProfiler reports from release 2.5 on; upgrade Lightning'
    WHEN steps < 2 THEN 'needs at least two steps with their times in one recording; record for longer'
    WHEN gaps > 0 AND NOT has_saving_record
      THEN
        'needs a record of what happened in ' || gaps || ' long gaps between steps (' || format_amount(gap_dur, 'ns')
        || ' in total); annotate the code that saves, or record disk writes with `tracelake record`'
  END AS missing
FROM (
  SELECT
    *,
    CASE WHEN share > $warning THEN $warning ELSE $notice END AS limit_reached,
    CASE source
      WHEN 'report'
        THEN
          round(100 * share, 1) || ' % of training time is spent saving ' || stalls || CASE stalls WHEN 1 THEN ' checkpoint' ELSE ' checkpoints' END
      ELSE
        round(100 * share, 1) || ' % of the time is spent in ' || stalls || CASE stalls WHEN 1 THEN ' gap' ELSE ' gaps' END
        || ' between steps during which something was saved'
    END AS summary
  FROM evidence_checkpoint
) AS c
