-- Are there too few workers for the pace of training?
--
-- The number of workers needed is the batch size times the mean time of an item, divided by the mean compute time of a batch, rounded up. With that
-- many workers, loading keeps up with computation. The finding also requires that the share of waiting is above `notable`.
--
-- empty   there are no runs
--
-- param   notable  double in 0..1 = 0.05  share of waiting above which the finding applies; the potential saving is the waiting beyond it
--
-- cause    too few workers for this compute time
-- remedy   set num_workers to the number in the sentence, up to the number of cores
-- limits   0.05 notable (TensorBoard plugin); number of workers (Plumber's idea, our own formula)
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
  total AS saving_base,
  gpu_busy,
  needed || ': an item takes ' || format_amount(item_mean, 'ns') || ', a batch has '
  || batch_size || ' items, and computing a batch takes ' || format_amount(compute_mean, 'ns') AS found,
  needed || '; ' || round(100 * share, 1)
  || ' % of step time is spent waiting for data' AS passed,
  CASE
    WHEN item_mean IS NULL OR batch_size IS NULL OR num_workers IS NULL OR compute_mean IS NULL OR share IS NULL
      THEN
        'needs'
        || CASE WHEN item_mean IS NULL THEN ' the time of items;' ELSE '' END
        || CASE WHEN batch_size IS NULL THEN ' the batch size;' ELSE '' END
        || CASE WHEN num_workers IS NULL THEN ' the number of workers;' ELSE '' END
        || CASE WHEN compute_mean IS NULL OR share IS NULL THEN ' the compute time of batches;' ELSE '' END
        || ' record with `tracelake record` or LoaderProfiler'
  END AS missing
FROM (
  SELECT
    *,
    CASE enough WHEN 1 THEN '1 worker is needed' ELSE enough || ' workers are needed' END
    || CASE num_workers WHEN 1 THEN ', and there is 1' ELSE ', and there are ' || num_workers END AS needed
  FROM evidence_item
) AS i
