-- Which operators took how much time, on the host and on the device?
--
-- One row per operator name and process rank. `host_total` is the time in calls of that name, thread by thread; recursion
-- counts once. `host_self` leaves out what ran inside: other operators, annotations, calls into the runtime. `device_self`
-- is the device work that its own calls launched, `device_total` that of everything inside as well; what ran side by side on a
-- device counts for each. A launch belongs to the innermost call around it on its thread (view `host_frame`), so that traces
-- without `External id` have these numbers too.
--
-- The definitions are those of the operator table of the TensorBoard plugin of PyTorch, which leaves out operators that overlap
-- another one in part and takes an operator whose only child has its own name for one with it.
--
-- empty   there are no operators: traces of the PyTorch profiler have them, recorded with ProfilerActivity.CPU, and exports of Nsight Systems with emit_nvtx of PyTorch
--
-- column  run           text    id     run the operators belong to
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  name          text    name   name of the operator
-- column  n             bigint  count  calls
-- column  host_total    bigint  ns     time in calls, thread by thread
-- column  host_self     bigint  ns     the part of it in which nothing ran inside
-- column  device_total  bigint  ns     device work launched in it
-- column  device_self   bigint  ns     device work that it launched itself
-- column  dur_mean      double  ns     mean duration of a call
-- column  dur_p50       double  ns     median
-- column  dur_max       bigint  ns     longest
--
-- needs   host_frame
-- order   run, node, rank, name
-- source  kineto, nsys

SELECT
  run,
  node,
  rank,
  name,
  count(*) AS n,
  sum(CASE WHEN outermost THEN dur ELSE 0 END) AS host_total,
  sum(host_self) AS host_self,
  sum(CASE WHEN outermost THEN device_total ELSE 0 END) AS device_total,
  sum(device_self) AS device_self,
  avg(dur) AS dur_mean,
  median(dur) AS dur_p50,
  max(dur) AS dur_max
FROM host_frame
WHERE category = 'operator'
GROUP BY run, node, rank, name
ORDER BY run, node, rank, name
