-- Are the GPUs of a run equally busy?
--
-- One row per pair of GPUs of a run, on whatever machines, with the Jensen-Shannon distance of the histograms of their
-- utilization: the root of the mean of the Kullback-Leibler divergences to the average of both, with natural logarithms. It is 0
-- for equal histograms and 0.83 (root of ln 2) for GPUs that were never equally busy. 0 to 100 percent are cut into `bins` bins of
-- equal width; 100 belongs to the last bin, as does what lies above, and what lies below 0 to the first.
--
-- The definition is that of smdebug's rule LoadBalancing, which leaves out values above 98, and compares no two GPUs.
--
-- empty   fewer than two GPUs were sampled
--
-- param   threshold  double = 0.5      distance above which a pair is unbalanced
-- param   bins       bigint >= 1 = 50  bins of a histogram
--
-- column  run            text     id       run
-- column  node           text     id       machine of the first GPU
-- column  device         text     name     the first GPU
-- column  other_node     text     id       machine of the second GPU
-- column  other_device   text     name     the second GPU
-- column  n              bigint   count    samples of the first GPU
-- column  other_n        bigint   count    samples of the second GPU
-- column  gpu_percent    double   percent  mean utilization of the first GPU
-- column  other_percent  double   percent  mean utilization of the second GPU
-- column  distance       double   factor   Jensen-Shannon distance of the two histograms
-- column  unbalanced     boolean  flag     whether the distance is above `threshold`
--
-- needs   gpu_pair
-- order   run, node, device, other_node, other_device
-- source  sagemaker_system

SELECT
  run,
  node,
  device,
  other_node,
  other_device,
  n,
  other_n,
  gpu_percent,
  other_percent,
  distance,
  distance > $threshold AS unbalanced
FROM gpu_pair($bins)
ORDER BY run, node, device, other_node, other_device
