-- Does the loader have too few or too many workers for the cores?
--
-- This is smdebug's rule Dataloader. It counts the live workers of a machine in each second. The value is the median of these counts divided by the
-- number of cores, for the machine where it is farthest from one worker per core (view `evidence_cores`). The finding is a notice. It is a warning if
-- the share of waiting (view `evidence_load`) is above `warning`, because too few or too many workers then slow training down. Only then is there a
-- potential saving: the waiting beyond `notable`, above which `load_share_high` is a notice.
--
-- empty   there are no runs
--
-- param   low      double = 0.7           workers per core below which there are too few
-- param   high     double = 2.0           workers per core above which there are too many
-- param   seconds  bigint = 10            number of seconds with workers; more than this many are required
-- param   warning  double in 0..1 = 0.2   share of waiting above which the finding is a warning
-- param   notable  double in 0..1 = 0.05  acceptable share of waiting; the potential saving is the waiting beyond it
--
-- cause    too few workers leave cores idle; too many workers compete for the cores
-- remedy   use about one worker per core, then measure
-- limits   0.7 low (smdebug's Dataloader); 2 high (smdebug's Dataloader); 10 seconds (smdebug's Dataloader); 0.2 warning (XProf); 0.05 notable (TensorBoard plugin, XProf)
-- evidence rules.dataloader, loader.active_workers
--
-- needs   evidence_cores, evidence_load

SELECT
  c.run,
  c.per_core AS value,
  CASE WHEN c.per_core > 1 THEN $high ELSE $low END AS threshold,
  CASE WHEN c.per_core < $low OR c.per_core > $high THEN CASE WHEN l.share > $warning THEN 'warning' ELSE 'notice' END END AS severity,
  CAST(NULL AS bigint) AS steps,
  CASE WHEN l.share > $warning AND l.share > $notable THEN TRY_CAST((l.share - $notable) * l.total AS bigint) END AS potential_saving,
  l.total AS saving_base,
  l.gpu_busy,
  'there are ' || round(c.workers_p50, 1) || ' workers for ' || c.cores || ' cores'
  || coalesce(' of ' || c.node, '') || ', too '
  || CASE WHEN c.per_core < $low THEN 'few (limit: ' || round($low, 2) ELSE 'many (limit: ' || round($high, 2) END || ' per core)'
  || coalesce('; ' || round(100 * l.share, 1) || ' % of step time is spent waiting for data', '') AS found,
  'there are ' || round(c.workers_p50, 1) || ' workers for ' || c.cores || ' cores' AS passed,
  CASE
    WHEN c.seconds IS NULL THEN 'needs the lifetimes of the workers; record them with `tracelake record` or SageMaker''s data loader profiling'
    WHEN c.cores IS NULL THEN 'needs samples of the cores; record them with `tracelake record` or SageMaker''s system metrics'
    WHEN c.seconds <= $seconds
      THEN 'needs more than ' || $seconds || ' s with workers, and there are ' || c.seconds || '; record for longer'
  END AS missing
FROM evidence_cores AS c
JOIN evidence_load AS l ON l.run = c.run
