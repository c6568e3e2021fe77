-- Does it take long to read one item?
--
-- The mean time of an item, or of a call of `__getitem__` in a Python profile.
--
-- empty   there are no runs
--
-- param   limit    bigint >= 0 = 10000000  ns above which an item is slow
-- param   notable  double = 0.05           share of waiting that is not at stake
--
-- cause    the item function is expensive
-- remedy   profile it (`function.top`), cache, precompute, or move the work to the GPU
-- limits   10 ms PyTorch's tutorial; 0.05 TensorBoard plugin and XProf
-- evidence loader.items, function.top
--
-- needs   evidence_item

SELECT
  run,
  mean AS value,
  $limit AS threshold,
  CASE WHEN mean > $limit THEN 'warning' END AS severity,
  items AS steps,
  CASE WHEN share > $notable THEN TRY_CAST((share - $notable) * total AS bigint) END AS potential_saving,
  gpu_busy,
  'an item takes ' || round(mean / 1e6, 2) || ' ms on average' AS found,
  'fine: an item takes ' || round(mean / 1e6, 2) || ' ms on average' AS passed,
  CASE WHEN mean IS NULL THEN 'needs the time of items; record it with `tracelake record` or LoaderProfiler, or sweep with diagnose_dataloader' END AS missing
FROM evidence_item
