-- Do more workers no longer help?
--
-- Compares loops of the same run that have different numbers of workers. The finding holds if the loop waits. In addition, the best rate is not at the
-- maximum number of workers, or the last doubling of workers gained less than `gain`.
--
-- empty   there are no runs
--
-- param   gain     double = 0.1   minimum share that the last doubling of workers must gain
-- param   high     double = 0.2   share of waiting above which the loop waits
-- param   notable  double = 0.05  share of waiting that the potential saving excludes
--
-- cause    the item function is limited by the CPU or by storage
-- remedy   make the item function cheaper; reduce num_workers; compare num_workers with the number of cores
-- limits   pattern 2 of PyTorch's tutorial, 0.1 our own, 0.2 XProf; 0.05 TensorBoard plugin and XProf
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
    WHEN settings IS NULL THEN 'needs loops with two different numbers of workers in one run; record them with `optimize` or diagnose_dataloader'
    WHEN share IS NULL THEN 'needs the compute time of batches; record it with `tracelake record`'
  END AS missing
FROM evidence_scaling
