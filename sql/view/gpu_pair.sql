-- How different are the loads of every two GPUs of a run?
--
-- One row per pair of GPUs of a run, on the same machine or on different ones. `distance` is the Jensen-Shannon distance of the histograms
-- of their utilization: the root of the mean of the Kullback-Leibler divergences to the average of both, with natural logarithms. It is 0
-- for equal histograms and 0.83 (root of ln 2) for GPUs that were never equally busy. The range from 0 to 100 percent is divided into
-- `bins` bins of equal width. 100 and all values above it belong to the last bin, and values below 0 to the first.
--
-- param   bins  bigint in 1..1000 = 50  number of bins of a histogram
--
-- column  run                text    id      name of the run
-- column  node               text    id      machine
-- column  device             text    name    the first GPU
-- column  other_node         text    id      machine of the second GPU
-- column  other_device       text    name    the second GPU
-- column  n                  bigint  count   samples of the first GPU
-- column  other_n            bigint  count   samples of the second GPU
-- column  gpu_utilization    double  ratio   mean share of time in which the GPU was busy; of the first GPU
-- column  other_utilization  double  ratio   mean utilization of the second GPU
-- column  distance           double  factor  Jensen-Shannon distance of the two histograms
--
-- cache   large
-- needs   system_sample
-- order   run, node, device, other_node, other_device
-- source  sagemaker_system

-- Percentages have few decimals, so there are far fewer distinct values than samples.
WITH counted AS (
  SELECT run, node, device, value, count(*) AS n
  FROM system_sample
  WHERE resource = 'gpu' AND metric = 'utilization' AND unit = 'percent'
  GROUP BY run, node, device, value
),

gpus AS (
  SELECT
    run,
    node,
    device,
    row_number() OVER (PARTITION BY run ORDER BY node, device) AS place,
    sum(n) AS n,
    sum(value * n) / sum(n) / 100 AS utilization
  FROM counted
  GROUP BY run, node, device
),

binned AS (
  SELECT
    run,
    node,
    device,
    greatest(least(TRY_CAST(floor(value * $bins / 100) AS bigint), $bins - 1), 0) AS bin,
    sum(n) AS n
  FROM counted
  GROUP BY run, node, device, greatest(least(TRY_CAST(floor(value * $bins / 100) AS bigint), $bins - 1), 0)
),

-- The share of the samples in each bin, empty bins included.
histogram AS (
  SELECT
    g.run,
    g.place,
    array_agg(CAST(coalesce(c.n, 0) AS double) / g.n ORDER BY b.bin) AS shares
  FROM gpus AS g
  CROSS JOIN (SELECT unnest(range(0, $bins)) AS bin) AS b
  LEFT JOIN binned AS c
    ON c.run = g.run AND (c.node IS NOT DISTINCT FROM g.node) AND (c.device IS NOT DISTINCT FROM g.device) AND c.bin = b.bin
  GROUP BY g.run, g.place
),

numbered AS (
  SELECT g.*, h.shares
  FROM gpus AS g
  JOIN histogram AS h ON h.run = g.run AND h.place = g.place
)

SELECT
  a.run,
  a.node,
  a.device,
  b.node AS other_node,
  b.device AS other_device,
  a.n,
  b.n AS other_n,
  a.utilization AS gpu_utilization,
  b.utilization AS other_utilization,
  histogram_distance(a.shares, b.shares) AS distance
FROM numbered AS a
JOIN numbered AS b ON b.run = a.run AND b.place > a.place
ORDER BY run, node, device, other_node, other_device
