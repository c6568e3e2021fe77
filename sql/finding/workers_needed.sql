-- Are there enough workers for this pace of training?
--
-- As many workers keep up as batches are loaded while one is worked on: batch size times mean time of an item over mean compute,
-- rounded up. It is said where the loop does wait.
--
-- empty   there are no runs
--
-- param   notable  double = 0.05  share of waiting above which the loop waits; what lies above is at stake
--
-- cause    not enough workers for this compute
-- remedy   the number of workers that the sentence names, as far as there are cores
-- limits   Plumber's idea, the formula is ours; 0.05 TensorBoard plugin
-- evidence loader.items, loader.share, loader.scaling
--
-- needs   evidence_item

SELECT
  run,
  enough AS value,
  num_workers AS threshold,
  CASE WHEN enough > num_workers AND share > $notable THEN 'warning' END AS severity,
  least(batches, items) AS steps,
  CASE WHEN share > $notable THEN TRY_CAST((share - $notable) * total AS bigint) END AS potential_saving,
  gpu_busy,
  'items of ' || round(mean / 1e6, 2) || ' ms in batches of ' || batch_size || ' against ' || round(compute / 1e6, 2)
  || ' ms of compute need ' || enough || ' workers; there are ' || num_workers AS found,
  'fine: ' || num_workers || ' workers, ' || enough || ' needed, and waiting is ' || round(100 * share, 1) || ' %' AS passed,
  CASE
    WHEN mean IS NULL OR batch_size IS NULL OR num_workers IS NULL OR compute IS NULL OR share IS NULL
      THEN
        'needs'
        || CASE WHEN mean IS NULL THEN ' the time of items,' ELSE '' END
        || CASE WHEN batch_size IS NULL THEN ' the batch size,' ELSE '' END
        || CASE WHEN num_workers IS NULL THEN ' the number of workers,' ELSE '' END
        || CASE WHEN compute IS NULL OR share IS NULL THEN ' the compute time of batches,' ELSE '' END
        || ' which `tracelake record` keeps'
  END AS missing
FROM evidence_item
