-- Do more workers no longer help?
--
-- Compares loops of the same run that have different numbers of workers. The finding requires that the share of waiting is above `high`. In addition,
-- the best rate is not reached with the maximum number of workers, or the last doubling of workers gained less than `gain`.
--
-- empty   there are no runs
--
-- param   gain     double in 0..1 = 0.1   minimum share that the last doubling of workers must gain
-- param   high     double in 0..1 = 0.2   share of waiting above which the finding applies
-- param   notable  double in 0..1 = 0.05  acceptable share of waiting; the potential saving is the waiting beyond it
--
-- cause    the item function is limited by the CPU or by storage
-- remedy   make the item function cheaper; reduce num_workers; compare num_workers with the number of cores
-- limits   0.1 gain (our own); 0.2 high (XProf); 0.05 notable (TensorBoard plugin, XProf); no gain from more workers (pattern 2 of PyTorch's tutorial)
-- evidence loader.scaling
--
-- needs   evidence_scaling

SELECT
  run,
  most_per_s / nullif(half_per_s, 0) - 1 AS value,
  $gain AS threshold,
  CASE WHEN share > $high AND (best < workers_max OR most_per_s < (1 + $gain) * half_per_s) THEN 'warning' END AS severity,
  batches AS steps,
  CASE WHEN share > $notable THEN TRY_CAST((share - $notable) * total AS bigint) END AS potential_saving,
  total AS saving_base,
  gpu_busy,
  CASE
    WHEN best < workers_max THEN 'the best rate, ' || round(best_per_s, 1) || ' batches/s, is reached with ' || best || ' workers, not with ' || workers_max
    ELSE 'from ' || half || ' to ' || workers_max || ' workers the rate grows by only '
      || round(100 * (most_per_s / nullif(half_per_s, 0) - 1), 1) || ' % (limit: ' || round(100 * $gain, 1) || ' %)'
  END AS found,
  CASE
    WHEN coalesce(share, 0) <= $high THEN 'waiting for data takes at most ' || round(100 * $high, 1) || ' % of step time'
    ELSE 'the rate still grows with the number of workers, to ' || round(most_per_s, 1) || ' batches/s with ' || workers_max || ' workers'
  END AS passed,
  CASE
    WHEN settings IS NULL
      THEN 'needs loops with two different numbers of workers in one run; record them with `optimize` or `diagnose_dataloader` (argument `path`)'
    WHEN share IS NULL THEN 'needs the compute time of batches; record it with `tracelake record`'
  END AS missing
FROM evidence_scaling
