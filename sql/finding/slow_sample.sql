-- Does it take long to read one item?
--
-- The value is the mean time of an item, or of a call of `__getitem__` in a Python profile.
--
-- empty   there are no runs
--
-- param   limit    bigint in 0.. = 10000000  ns above which an item is slow
-- param   notable  double in 0..1 = 0.05     acceptable share of waiting; the potential saving is the waiting beyond it
--
-- cause    the item function is expensive
-- remedy   profile the dataset with `function.top`; cache or precompute items, or move the work to the GPU
-- limits   10000000 ns (10 ms) limit (PyTorch's tutorial); 0.05 notable (TensorBoard plugin, XProf)
-- evidence loader.items, function.top
--
-- needs   evidence_item

SELECT
  run,
  item_mean AS value,
  $limit AS threshold,
  CASE WHEN item_mean > $limit THEN 'warning' END AS severity,
  items AS steps,
  CASE WHEN share > $notable THEN TRY_CAST((share - $notable) * total AS bigint) END AS potential_saving,
  total AS saving_base,
  gpu_busy,
  'an item takes ' || format_amount(item_mean, 'ns') || ' on average (limit: ' || format_amount($limit, 'ns') || ')' AS found,
  'an item takes ' || format_amount(item_mean, 'ns') || ' on average' AS passed,
  CASE
    WHEN item_mean IS NULL
      THEN 'needs the time of items; record it with `tracelake record` or LoaderProfiler, or profile the dataset with cProfile'
  END AS missing
FROM evidence_item
