-- Does the loader have too few or too many workers for the cores?
--
-- smdebug's rule Dataloader: the median over the seconds of the number of live workers, on the machine where it is farthest from one worker per core
-- (view `evidence_cores`). The finding is a notice if the loop hardly waits for data, and a warning if it waits.
--
-- empty   there are no runs
--
-- param   low      double = 0.7   workers per core below which there are too few
-- param   high     double = 2.0   workers per core above which there are too many
-- param   seconds  bigint = 10    number of seconds with workers; more than this many are required
-- param   waiting  double = 0.2   share of waiting above which the finding is a warning
-- param   notable  double = 0.05  share of waiting that the potential saving excludes
--
-- cause    too few workers leave cores idle; too many workers compete for the cores
-- remedy   use about one worker per core, then measure
-- limits   0.7, 2 and 10 s smdebug's Dataloader; 0.2 XProf; 0.05 TensorBoard plugin and XProf
-- evidence rules.dataloader, loader.active_workers
--
-- needs   evidence_cores, evidence_load

SELECT
  c.run,
  c.per_core AS value,
  CASE WHEN c.per_core > 1 THEN $high ELSE $low END AS threshold,
  CASE WHEN c.per_core < $low OR c.per_core > $high THEN CASE WHEN l.share > $waiting THEN 'warning' ELSE 'notice' END END AS severity,
  CAST(NULL AS bigint) AS steps,
  CASE WHEN l.share > $waiting AND l.share > $notable THEN TRY_CAST((l.share - $notable) * l.total AS bigint) END AS potential_saving,
  l.gpu_busy,
  'there are ' || round(c.workers_p50, 1) || ' workers for ' || c.cores || ' cores'
  || coalesce(' of ' || c.node, '') || ', too '
  || CASE WHEN c.per_core < $low THEN 'few (limit: ' || round($low, 2) ELSE 'many (limit: ' || round($high, 2) END || ' per core)'
  || coalesce('; ' || round(100 * l.share, 1) || ' % of step time is spent waiting for data', '') AS found,
  'there are ' || round(c.workers_p50, 1) || ' workers for ' || c.cores || ' cores' AS passed,
  CASE
    WHEN c.seconds IS NULL THEN 'needs the lifetimes of the workers; record them with SageMaker''s data loader profiling'
    WHEN c.cores IS NULL THEN 'needs samples of the cores; record them with SageMaker''s system metrics'
    WHEN c.seconds <= $seconds
      THEN 'needs more than ' || $seconds || ' s with workers, and there are ' || c.seconds || '; record for longer'
  END AS missing
FROM evidence_cores AS c
JOIN evidence_load AS l ON l.run = c.run
