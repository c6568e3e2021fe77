-- Do the GPUs of a run carry different loads?
--
-- smdebug's rule LoadBalancing, over the whole run. One row per pair of GPUs (view `gpu_pair`), on any machines. A pair is a violation, and
-- triggers the rule, when the Jensen-Shannon distance of the histograms of their utilization is above `threshold` and both have more than
-- `patience` values. `utilization.gpu_balance` has the same distances.
--
-- `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig (AWS's package), docs (AWS's
-- guide of 2023) or reported (the run's own report, or history where it has no limit).
--
-- Because of an error in a loop, smdebug never compares two GPUs, and its rule is never triggered. Its histograms end at 98 percent.
--
-- empty   fewer than two GPUs were sampled (SageMaker Debugger's system metrics contain GPUs), or `defaults` is not history, rulesconfig, docs or reported
--
-- param   defaults   text in history|rulesconfig|docs|reported = 'history'  source of the default limits (see above)
-- param   threshold  double in 0..1 = null                                  distance above which the loads differ; null for the published limit
-- param   patience   bigint in 0.. = null                                   the rule needs more values of each GPU than this; null for the published limit
--
-- column  run           text     id      name of the run
-- column  node          text     id      machine
-- column  device        text     name    the first GPU
-- column  other_node    text     id      machine of the second GPU
-- column  other_device  text     name    the second GPU
-- column  triggered     boolean  flag    whether the rule is triggered
-- column  violations    bigint   count   1 where the loads differ, else 0
-- column  datapoints    bigint   count   values of the GPU that has fewer
-- column  distance      double   factor  Jensen-Shannon distance of the two histograms
-- column  parameters    text     json    limits that were used
--
-- needs   rule_limit, gpu_pair
-- order   run, node, device, other_node, other_device
-- source  sagemaker_system

WITH limits AS (
  SELECT
    run,
    coalesce($threshold, threshold, CASE WHEN $defaults IN ('rulesconfig', 'docs') THEN 0.5 ELSE 0.2 END) AS threshold,
    coalesce($patience, patience, CASE $defaults WHEN 'docs' THEN 10 ELSE 1000 END) AS patience
  FROM rule_limit('LoadBalancing', $defaults)
)

SELECT
  g.run,
  g.node,
  g.device,
  g.other_node,
  g.other_device,
  g.distance > l.threshold AND least(g.n, g.other_n) > l.patience AS triggered,
  CAST(g.distance > l.threshold AND least(g.n, g.other_n) > l.patience AS bigint) AS violations,
  least(g.n, g.other_n) AS datapoints,
  g.distance,
  '{"threshold":' || l.threshold || ',"patience":' || l.patience || '}' AS parameters
FROM gpu_pair(50) AS g
JOIN limits AS l ON l.run = g.run
ORDER BY run, node, device, other_node, other_device
