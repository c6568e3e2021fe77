-- Is it only the start of each epoch that waits for data?
--
-- All batches together lie above the limit, and without the first batch of each pass they do not: a short recording then says
-- more about the start of the workers than about training.
--
-- empty   there are no runs
--
-- param   bottleneck  double = 0.3   share above which loading is the bottleneck
-- param   notable     double = 0.05  share of waiting that is not at stake
--
-- cause    only the first batches are slow: workers start, caches are cold
-- remedy   persistent workers; measure over more batches
-- limits   0.3 PyTorch's tutorial; 0.05 TensorBoard plugin and XProf
-- evidence loader.share, loader.first_batch
--
-- needs   evidence_load

SELECT
  run,
  share_all AS value,
  $bottleneck AS threshold,
  CASE WHEN share_all > $bottleneck AND share <= $bottleneck THEN 'notice' END AS severity,
  steps,
  CASE WHEN share > $notable THEN TRY_CAST((share - $notable) * total AS bigint) END AS potential_saving,
  gpu_busy,
  'waiting is ' || round(100 * share_all, 1) || ' % of the loop, and ' || round(100 * share, 1)
  || ' % without the first batch of each pass' AS found,
  'fine: with or without the first batches the share of waiting lies on the same side of '
  || round(100 * $bottleneck, 1) || ' %' AS passed,
  CASE
    WHEN coalesce(measure, '') <> 'rest'
      THEN 'needs the time of each batch; record it with `tracelake record` or LoaderProfiler'
  END AS missing
FROM evidence_load
