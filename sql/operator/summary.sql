-- How much time did each operator take, on the host and on the device?
--
-- One row per operator name and process rank. `host_total` is the time in calls of that name, added up over the threads; recursion counts
-- once. `host_self` excludes the calls inside: other operators, annotations and calls into the runtime. `device_self` is the device work
-- that its own calls launched. `device_total` also has the device work of everything inside. Both add up durations, so parallel device work
-- counts more than once. A launch belongs to the innermost call around it on its thread (table `call_path`), so traces without
-- `External id` have these numbers too.
--
-- The definitions are those of the operator table of the TensorBoard plugin of PyTorch, with two differences. The plugin excludes operators
-- that overlap another one in part. If the only child of an operator has the same name, the plugin merges the two.
--
-- `key_averages()` of PyTorch has the same times on the host, with three differences. It adds up the times of recursive calls. It merges calls as the
-- plugin does. It has annotations in the same table, which are rows of `annotation.summary` here; if one overlaps an operator in part,
-- PyTorch counts it as if it were inside.
--
-- empty   there are no operators; record a trace of the PyTorch profiler with ProfilerActivity.CPU, or an export of Nsight Systems with emit_nvtx of PyTorch
--
-- column  run           text    id     name of the run
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  name          text    name   name of the operator
-- column  n             bigint  count  calls
-- column  host_total    bigint  ns     time in its calls, thread by thread
-- column  host_self     bigint  ns     time in it and in nothing inside
-- column  device_total  bigint  ns     device work launched in it and everything inside
-- column  device_self   bigint  ns     device work that it launched itself, not in rows inside
-- column  dur_mean      double  ns     mean
-- column  dur_p50       double  ns     median
-- column  dur_max       bigint  ns     longest
--
-- needs   event, path_time
-- order   run, node, rank, name
-- source  kineto, nsys, sagemaker_framework

WITH called AS (
  SELECT run, node, rank, coalesce(name, '') AS name, count(*) AS n, avg(dur) AS dur_mean, median(dur) AS dur_p50, max(dur) AS dur_max
  FROM event
  WHERE category = 'operator' AND call_path IS NOT NULL
  GROUP BY run, node, rank, coalesce(name, '')
),

timed AS (
  SELECT
    run,
    node,
    rank,
    name,
    sum(CASE WHEN outermost THEN host_total ELSE 0 END) AS host_total,
    sum(host_self) AS host_self,
    sum(CASE WHEN outermost THEN device_total ELSE 0 END) AS device_total,
    sum(device_self) AS device_self
  FROM path_time
  WHERE category = 'operator'
  GROUP BY run, node, rank, name
)

SELECT
  c.* EXCLUDE (name),
  nullif(c.name, '') AS name,
  t.host_total,
  t.host_self,
  t.device_total,
  t.device_self
FROM called AS c
JOIN timed AS t
  ON t.run = c.run AND t.name = c.name AND (t.node IS NOT DISTINCT FROM c.node) AND (t.rank IS NOT DISTINCT FROM c.rank)
ORDER BY run, node, rank, name
