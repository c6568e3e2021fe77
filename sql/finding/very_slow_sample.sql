-- Do some items take very long to read?
--
-- The value is the longest time of an item. Without recorded item times, the finding uses the incidents of slow items that the recorder wrote.
--
-- empty   there are no runs
--
-- param   limit  bigint in 0.. = 1000000000  ns above which an item is very slow
--
-- cause    a read that hangs, a lock, or the network
-- remedy   set a timeout; log the index of each item; debug with num_workers=0
-- limits   1000000000 ns (1 s) limit (PyTorch's tutorial)
-- evidence loader.items, incident.summary
--
-- needs   evidence_item

SELECT
  run,
  slowest AS value,
  $limit AS threshold,
  CASE WHEN slowest > $limit OR (slowest IS NULL AND slow_items > 0) THEN 'warning' END AS severity,
  CAST(NULL AS bigint) AS steps,
  slowest - $limit AS potential_saving,
  gpu_busy,
  CASE
    WHEN slowest > $limit
      THEN 'the slowest item' || coalesce(' (' || item || ')', '') || ' takes ' || format_amount(slowest, 'ns') || ' (limit: ' || format_amount($limit, 'ns') || ')'
    ELSE slow_items || ' slow items were recorded'
  END AS found,
  'the slowest of ' || items || ' items takes ' || format_amount(slowest, 'ns') AS passed,
  CASE
    WHEN slowest IS NULL AND slow_items IS NULL
      THEN 'needs the time of items; record it with `tracelake record` or LoaderProfiler'
  END AS missing
FROM evidence_item
