-- How many floating point operations did the operators do, and how fast?
--
-- One row per operator name and process rank. The numbers are the profiler's own estimates, which it makes from the shapes
-- of the inputs for a few operators (convolutions, products of matrices, sums, products) with `with_flops=True`. The rate is taken
-- over the device work that the operators launched, or, where they launched none, over their time on the host.
--
-- Left out: operators without an estimate. The answer is empty where the profile has none.
--
-- empty   no operator has a number of operations: a trace has them if it was recorded with with_flops=True
--
-- column  run           text    id     run the operators belong to
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  name          text    name   name of the operator
-- column  n             bigint  count  calls with an estimate
-- column  flops         double  count  floating point operations
-- column  host_total    bigint  ns     time in these calls, thread by thread
-- column  device_total  bigint  ns     device work launched in them
-- column  flops_per_s   double  per_s  `flops` over `device_total`, or over `host_total` where that is 0
--
-- needs   host_frame
-- order   run, node, rank, name
-- source  kineto

WITH estimated AS (
  SELECT
    run,
    node,
    rank,
    name,
    dur,
    outermost,
    device_total,
    try_cast(extract_arg(args, 'flops') AS double) AS flops
  FROM host_frame
  WHERE category = 'operator' AND args LIKE '%"flops":%'
),

summed AS (
  SELECT
    run,
    node,
    rank,
    name,
    count(*) AS n,
    sum(flops) AS flops,
    sum(CASE WHEN outermost THEN dur ELSE 0 END) AS host_total,
    sum(CASE WHEN outermost THEN device_total ELSE 0 END) AS device_total
  FROM estimated
  WHERE flops > 0
  GROUP BY run, node, rank, name
)

SELECT
  run,
  node,
  rank,
  name,
  n,
  flops,
  host_total,
  device_total,
  flops * 1000000000 / nullif(CASE WHEN device_total > 0 THEN device_total ELSE host_total END, 0) AS flops_per_s
FROM summed
ORDER BY run, node, rank, name
