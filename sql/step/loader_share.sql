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
-- The ratios are null for runs with device work that could not be read (view `unread_device`).
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
-- needs   step_role, unread_device
-- order   run, node, rank, span
-- source  kineto, nsys, sagemaker_framework

WITH shares AS (
  SELECT
    r.*,
    CASE WHEN u.run IS NULL THEN CAST(r.exposed_loader AS double) / nullif(r.dur, 0) END AS ratio
  FROM step_role AS r
  LEFT JOIN unread_device AS u ON u.run = r.run
  WHERE r.extended = $extended AND r.complete IS NOT FALSE
)

SELECT
  run,
  node,
  rank,
  span,
  count(*) AS steps,
  sum(dur) AS dur,
  sum(exposed_loader) AS exposed_loader,
  CASE WHEN count(ratio) > 0 THEN CAST(sum(exposed_loader) AS double) / nullif(sum(dur), 0) END AS exposed_loader_ratio,
  median(ratio) AS ratio_p50,
  max(ratio) AS ratio_max
FROM shares
GROUP BY run, node, rank, span
ORDER BY run, node, rank, span
