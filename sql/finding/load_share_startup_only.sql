-- Does only the start of each epoch wait for data?
--
-- The share of waiting over all batches is above `bottleneck`, but without the first batch of each pass it is not. A short recording then shows the
-- start of the workers rather than training.
--
-- empty   there are no runs
--
-- param   bottleneck  double in 0..1 = 0.3   share above which loading is the bottleneck
-- param   notable     double in 0..1 = 0.05  acceptable share of waiting; the potential saving is the waiting beyond it
--
-- cause    only the first batches are slow: workers start, caches are cold
-- remedy   set persistent_workers=True; measure over more batches
-- limits   0.3 bottleneck (PyTorch's tutorial); 0.05 notable (TensorBoard plugin, XProf)
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
  total AS saving_base,
  'first_batch_slow' AS explained_by,
  gpu_busy,
  'waiting for data takes ' || round(100 * share_all, 1) || ' % of loop time, but only ' || round(100 * share, 1)
  || ' % without the first batch of each pass (limit: ' || round(100 * $bottleneck, 1) || ' %)' AS found,
  'the first batches alone do not raise the share of waiting above '
  || round(100 * $bottleneck, 1) || ' %' AS passed,
  CASE
    WHEN coalesce(measure, '') <> 'rest'
      THEN 'needs the time of each batch in the training loop, not in a trace; record it with `tracelake record` or LoaderProfiler'
  END AS missing
FROM evidence_load
