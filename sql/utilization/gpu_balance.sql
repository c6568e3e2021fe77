-- Are the GPUs of a run equally busy?
--
-- One row per pair of GPUs of a run, on any machines, with the Jensen-Shannon distance of the histograms of their utilization. It is the
-- square root of the mean of the Kullback-Leibler divergences to the average of both, with natural logarithms. It is 0 for equal histograms
-- and 0.83 (root of ln 2) for GPUs that were never equally busy. The range from 0 to 100 percent is divided into `bins` bins of equal
-- width. Values of 100 and above belong to the last bin, and values below 0 to the first bin.
--
-- The definition is that of smdebug's rule LoadBalancing. smdebug excludes values above 98 and, because of an error, never compares two
-- GPUs.
--
-- empty   fewer than two GPUs of a run were sampled; SageMaker Debugger writes system metrics below `system/`
--
-- param   threshold  double in 0..1 = 0.5  distance above which a pair is unbalanced
-- param   bins       bigint in 1..1000 = 50    number of bins of a histogram
--
-- column  run                text     id      name of the run
-- column  node               text     id      machine
-- column  device             text     name    the first GPU
-- column  other_node         text     id      machine of the second GPU
-- column  other_device       text     name    the second GPU
-- column  n                  bigint   count   samples of the first GPU
-- column  other_n            bigint   count   samples of the second GPU
-- column  gpu_utilization    double   ratio   mean share of time in which the GPU was busy; of the first GPU
-- column  other_utilization  double   ratio   mean utilization of the second GPU
-- column  distance           double   factor  Jensen-Shannon distance of the two histograms
-- column  unbalanced         boolean  flag    whether the distance is above `threshold`
--
-- needs   gpu_pair
-- order   run, node, device, other_node, other_device
-- source  sagemaker_system

SELECT *, distance > $threshold AS unbalanced
FROM gpu_pair($bins)
ORDER BY run, node, device, other_node, other_device
