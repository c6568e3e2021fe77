-- What share of the samples was idle, in between or busy?
--
-- The edges divide the values into buckets, in ascending order: three edges make two buckets. A bucket takes in its lower
-- edge and not its upper one; the last one has both. The share is taken of all samples of the machine and quantity, so
-- that it does not add up to 1 where values lie outside of the edges.
--
-- Left out: quantities that were not recorded in percent.
--
-- smdebug's `get_device_usage_stats` counts instead of giving shares, mixes the quantities of a resource, and has ranges
-- that are closed at both ends and may overlap.
--
-- empty   there are no samples of the system: SageMaker Debugger writes them below `system/`
--
-- param   edges     double[] = [0, 10, 90, 100]  edges of the buckets, in percent, ascending
--
-- column  run       text    id       run the samples belong to
-- column  node      text    id       machine
-- column  resource  text    name     cpu, gpu, memory, io or network
-- column  metric    text    name     what was measured
-- column  bucket    bigint  id       number of the bucket, from 0
-- column  lower     double  percent  lower edge
-- column  upper     double  percent  upper edge
-- column  n         bigint  count    samples in the bucket
-- column  ratio     double  ratio    their share of all samples of the machine and quantity
--
-- needs   system_sample
-- order   run, node, resource, metric, bucket
-- source  sagemaker_system

WITH buckets AS (
  SELECT
    place - 1 AS bucket,
    $edges[place] AS lower,
    $edges[place + 1] AS upper,
    place + 1 = CAST(cardinality($edges) AS bigint) AS is_last
  FROM (SELECT unnest(range(1, CAST(cardinality($edges) AS bigint))) AS place) AS places
),

-- Percentages come with few decimals: far fewer values than samples.
counted AS (
  SELECT run, node, resource, metric, value, count(*) AS n
  FROM system_sample
  WHERE unit = 'percent'
  GROUP BY run, node, resource, metric, value
),

placed AS (
  SELECT
    c.run,
    c.node,
    c.resource,
    c.metric,
    b.bucket,
    b.lower,
    b.upper,
    c.n,
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
