-- What share of the step time was spent waiting for the data loader and for nothing else?
--
-- One row per recording of a rank. Only the time counts in which the process waited for a batch and neither a device worked nor a
-- collective or a call into the runtime ran: waits that device work hides cost nothing. `loader_ratio` is that time over the
-- duration of all steps, as the overview of the TensorBoard plugin has it for the average step; above 0.05 the plugin speaks of
-- a high cost of data loading. Steps are those of `step.breakdown`, with the same `extended`. The mark of a data loader is
-- told by its name: the plugin's last release looks into one category only and finds none since PyTorch 1.12.
--
-- Left out: steps that a recording cut short.
--
-- empty   there are no steps: SageMaker's hook records them; in a trace `prof.step()` marks them, or your step_annotation
--
-- param   extended      boolean = false   whether a step lasts until the device work that it launched has ended
--
-- column  run           text    id     run the steps belong to
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  span          bigint  id     recording of the process within the run, from 0
-- column  steps         bigint  count  steps; a recording without step marks is one
-- column  dur           bigint  ns     duration of the steps together
-- column  loader        bigint  ns     time in which only the data loader was waited for
-- column  loader_ratio  double  ratio  `loader` over `dur`
-- column  ratio_p50     double  ratio  median over the steps of each step's share
-- column  ratio_max     double  ratio  greatest share of a step
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
  sum(loader) AS loader,
  CAST(sum(loader) AS double) / nullif(sum(dur), 0) AS loader_ratio,
  median(CAST(loader AS double) / nullif(dur, 0)) AS ratio_p50,
  max(CAST(loader AS double) / nullif(dur, 0)) AS ratio_max
FROM step_role
WHERE extended = $extended AND complete IS NOT FALSE
GROUP BY run, node, rank, span
ORDER BY run, node, rank, span
