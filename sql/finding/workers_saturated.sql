-- Do more workers no longer help?
--
-- Of loops with different numbers of workers in the same run: the best rate is not that of the most workers, or the last doubling
-- gained less than `gain`, while the loop waits.
--
-- empty   there are no runs
--
-- param   gain     double = 0.1   share that the last doubling must gain
-- param   high     double = 0.2   share of waiting above which it is high
-- param   notable  double = 0.05  share of waiting that is not at stake
--
-- cause    the item function is bound by the processor, or by storage
-- remedy   a cheaper item function; fewer workers; compare with the number of cores
-- limits   pattern 2 of PyTorch's tutorial, 0.1 is ours, 0.2 XProf; 0.05 TensorBoard plugin and XProf
-- evidence loader.scaling
--
-- needs   evidence_scaling

SELECT
  run,
  most_per_s / nullif(half_per_s, 0) - 1 AS value,
  $gain AS threshold,
  CASE WHEN share > $high AND (best < most OR most_per_s < (1 + $gain) * half_per_s) THEN 'warning' END AS severity,
  batches AS steps,
  CASE WHEN share > $notable THEN TRY_CAST((share - $notable) * total AS bigint) END AS potential_saving,
  gpu_busy,
  CASE
    WHEN best < most THEN 'the best rate, ' || round(best_per_s, 1) || ' batches/s, is that of ' || best || ' workers and not of ' || most
    ELSE 'from ' || half || ' to ' || most || ' workers the rate grows by '
      || round(100 * (most_per_s / nullif(half_per_s, 0) - 1), 1) || ' % only'
  END AS found,
  CASE
    WHEN coalesce(share, 0) <= $high THEN 'fine: waiting is no more than ' || round(100 * $high, 1) || ' %'
    ELSE 'fine: the rate still grows with the workers, to ' || round(most_per_s, 1) || ' batches/s with ' || most
  END AS passed,
  CASE
    WHEN settings IS NULL THEN 'needs loops with two numbers of workers in one run; record them with `optimize` or diagnose_dataloader'
    WHEN share IS NULL THEN 'needs the compute time of batches; record it with `tracelake record`'
  END AS missing
FROM evidence_scaling
