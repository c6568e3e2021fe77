-- What share of the step time was spent waiting only for the data loader?
--
-- One row per recording of a rank. Only time counts in which the process waited for a batch while no device worked and no collective or
-- call into the runtime ran: waits that device work hides cost nothing. `exposed_loader_ratio` is that time over the duration of all steps,
-- as in the overview of the TensorBoard plugin for the average step. Above 0.05, the plugin reports a high cost of data loading. The steps
-- are those of `step.breakdown`, with the same `extended`. tracelake recognizes the mark of a data loader by its name. The last release of
-- the plugin searches only one category and finds no data loader since PyTorch 1.12.
--
-- Excluded: steps that a recording cut short.
--
-- empty   there are no steps; SageMaker's hook records steps, and in a trace `prof.step()` or your step_annotation marks them
--
-- param   extended  boolean = false  whether a step lasts until the device work that it launched has ended
--
-- column  run                   text    id     name of the run
-- column  node                  text    id     machine
-- column  rank                  bigint  id     global rank of the process; null when unknown
-- column  span                  bigint  id     recording of the process within the run, from 0
-- column  steps                 bigint  count  steps; a recording without step marks is one
-- column  dur                   bigint  ns     duration of the steps together
-- column  exposed_loader        bigint  ns     time in which the process only waited for the data loader
-- column  exposed_loader_ratio  double  ratio  `exposed_loader` over the time of the steps
-- column  ratio_p50             double  ratio  median over the steps of each step's share
-- column  ratio_max             double  ratio  maximum share of a step
--
-- needs   step_role
-- order   run, node, rank, span
-- source  kineto, nsys, sagemaker_framework

SELECT
  run,
  node,
  rank,
  span,
  count(*) AS steps,
  sum(dur) AS dur,
  sum(exposed_loader) AS exposed_loader,
  CAST(sum(exposed_loader) AS double) / nullif(sum(dur), 0) AS exposed_loader_ratio,
  median(CAST(exposed_loader AS double) / nullif(dur, 0)) AS ratio_p50,
  max(CAST(exposed_loader AS double) / nullif(dur, 0)) AS ratio_max
FROM step_role
WHERE extended = $extended AND complete IS NOT FALSE
GROUP BY run, node, rank, span
ORDER BY run, node, rank, span
