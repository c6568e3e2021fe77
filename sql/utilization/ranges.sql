-- How many samples are in each of the given ranges?
--
-- Range number i goes from `lowers[i]` to `uppers[i]`, both included. Ranges may leave gaps and may overlap: a sample counts for the first
-- range in the lists that contains it. The row without a `bucket` counts the samples outside of all ranges. The counts of a machine and
-- quantity therefore add up to all its samples. `utilization.buckets` takes edges instead and has no gaps.
--
-- Excluded: quantities that were not recorded in percent.
--
-- The ranges and their defaults are those of `get_device_usage_stats` of smdebug. smdebug mixes the quantities of a resource, and does not
-- report how many samples are outside of all ranges.
--
-- empty   no system metrics were recorded; SageMaker Debugger writes them below `system/`
--
-- param   lowers  double[] = [90, 10, 0]    lower ends of the ranges, in percent
-- param   uppers  double[] = [100, 90, 10]  upper ends of the ranges, in percent, one for each lower end
--
-- column  run       text    id       name of the run
-- column  node      text    id       machine
-- column  resource  text    name     cpu, gpu, memory, io or network
-- column  metric    text    name     name of the metric
-- column  bucket    bigint  id       number of the bucket, from 0; null for what lies in none
-- column  lower     double  percent  lower edge
-- column  upper     double  percent  upper edge
-- column  n         bigint  count    samples
-- column  ratio     double  ratio    their share of all samples of the machine and quantity
--
-- needs   system_sample
-- order   run, node, resource, metric, bucket
-- source  sagemaker_system, nsys

WITH ranges AS (
  SELECT place - 1 AS bucket, $lowers[place] AS lower, $uppers[place] AS upper
  FROM (SELECT unnest(range(1, CAST(cardinality($lowers) AS bigint) + 1)) AS place) AS places
  UNION ALL
  SELECT CAST(NULL AS bigint) AS bucket, CAST(NULL AS double) AS lower, CAST(NULL AS double) AS upper
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
    r.bucket,
    r.lower,
    r.upper,
    min(CASE WHEN c.value BETWEEN r.lower AND r.upper THEN r.bucket END) OVER (
      PARTITION BY c.run, c.node, c.resource, c.metric, c.value
    ) AS chosen
  FROM counted AS c
  CROSS JOIN ranges AS r
)

SELECT
  run,
  node,
  resource,
  metric,
  bucket,
  lower,
  upper,
  sum(CASE WHEN chosen IS NOT DISTINCT FROM bucket THEN n ELSE 0 END) AS n,
  CAST(sum(CASE WHEN chosen IS NOT DISTINCT FROM bucket THEN n ELSE 0 END) AS double) / sum(n) AS ratio
FROM placed
GROUP BY run, node, resource, metric, bucket, lower, upper
ORDER BY run, node, resource, metric, bucket
