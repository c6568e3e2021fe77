-- What share of the samples was idle, in between or busy?
--
-- The edges divide the values into buckets, in ascending order: three edges make two buckets. A bucket includes its lower edge but not its
-- upper edge; the last bucket includes both. The share is that of all samples of the machine and quantity. The shares therefore do not add
-- up to 1 if there are values outside of the edges.
--
-- Excluded: quantities that were not recorded in percent.
--
-- smdebug's `get_device_usage_stats` returns counts instead of shares and mixes the quantities of a resource. Its ranges include both ends
-- and may overlap.
--
-- empty   no system metrics were recorded; SageMaker Debugger writes them below `system/`
--
-- param   edges  double[] = [0, 10, 90, 100]  edges of the buckets, in percent, in ascending order
--
-- column  run       text    id       name of the run
-- column  node      text    id       machine
-- column  resource  text    name     cpu, gpu, memory, io or network
-- column  metric    text    name     name of the metric
-- column  bucket    bigint  id       number of the bucket, from 0
-- column  lower     double  percent  lower edge
-- column  upper     double  percent  upper edge
-- column  n         bigint  count    samples in the bucket
-- column  ratio     double  ratio    their share of all samples of the machine and quantity
--
-- needs   system_sample
-- order   run, node, resource, metric, bucket
-- source  sagemaker_system, nsys

WITH buckets AS (
  SELECT
    place - 1 AS bucket,
    $edges[place] AS lower,
    $edges[place + 1] AS upper,
    place + 1 = CAST(cardinality($edges) AS bigint) AS is_last
  FROM (SELECT unnest(range(1, CAST(cardinality($edges) AS bigint))) AS place) AS places
),

-- Percentages have few decimals, so there are far fewer distinct values than samples.
counted AS (
  SELECT run, node, resource, metric, value, count(*) AS n
  FROM system_sample
  WHERE unit = 'percent'
  GROUP BY run, node, resource, metric, value
),

placed AS (
  SELECT
    c.*,
    b.bucket,
    b.lower,
    b.upper,
    CASE WHEN c.value >= b.lower AND (c.value < b.upper OR (b.is_last AND c.value = b.upper)) THEN c.n ELSE 0 END AS inside
  FROM counted AS c
  CROSS JOIN buckets AS b
)

SELECT
  run,
  node,
  resource,
  metric,
  bucket,
  lower,
  upper,
  sum(inside) AS n,
  CAST(sum(inside) AS double) / sum(n) AS ratio
FROM placed
GROUP BY run, node, resource, metric, bucket, lower, upper
ORDER BY run, node, resource, metric, bucket
