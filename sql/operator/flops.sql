-- How many floating-point operations did the operators perform, and how fast?
--
-- One row per operator name and process rank. The numbers are the profiler's own estimates. With `with_flops=True`, it estimates them from
-- the shapes of the inputs for a few operators (convolutions, products of matrices, sums, products). The rate is over the device work that
-- the operators launched, or over their time on the host if they launched none.
--
-- Excluded: operators without an estimate. The result is empty if the profile has no estimates.
--
-- empty   no operator has a number of operations; record the trace with with_flops=True
--
-- column  run           text    id     name of the run
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  name          text    name   name of the operator
-- column  n             bigint  count  calls with an estimate
-- column  flops         double  count  floating-point operations
-- column  host_total    bigint  ns     time in its calls, thread by thread
-- column  device_total  bigint  ns     device work launched in it and everything inside
-- column  flops_per_s   double  per_s  `flops` over `device_total`, or over `host_total` where that is 0
--
-- needs   host_frame
-- order   run, node, rank, name
-- source  kineto

WITH estimated AS (
  SELECT *, try_cast(extract_arg(args, 'flops') AS double) AS flops
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
  *,
  flops * 1000000000 / nullif(CASE WHEN device_total > 0 THEN device_total ELSE host_total END, 0) AS flops_per_s
FROM summed
ORDER BY run, node, rank, name
