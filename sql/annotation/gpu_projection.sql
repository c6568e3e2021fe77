-- What did the marked ranges of the program run on the device, and how long did that take there?
--
-- One row per name and process rank, for ranges on the host that contain launches of device work. Ranges are annotations, step marks, calls
-- of a data loader, collectives and operators. Kernels, copies and fills belong to a range if the call that launched them lies inside it,
-- on the same thread of the same process. The projection of a range lasts from the start of its first device work to the end of its last,
-- on any device and stream. Gaps count. Work that other threads launched in the meantime does not count. Work belongs to all ranges around
-- its call, not only to the innermost one, so sums over different names count it more than once. If ranges overlap in part, each range has
-- the work of the calls inside it.
--
-- The definition is that of the report `nvtx_gpu_proj_sum` of `nsys stats`, which writes the domain in front of the name of the range. A
-- graph that was recorded as a whole is one operation. A trace of PyTorch has other ranges, drawn on the device (`annotation.summary`,
-- `device`). `operator.summary` adds up the durations of device work instead.
--
-- Excluded: ranges without device work, ranges that ended on another thread, ranges that were never closed, and work without a recorded
-- launch.
--
-- empty   no range contains a launch of device work; record annotations and launches, with ProfilerActivity.CPU and the activity of the device (CUDA, XPU, MTIA, HPU or NPU), or with --trace=cuda,nvtx of Nsight Systems
--
-- column  run             text    id     name of the run
-- column  node            text    id     machine
-- column  rank            bigint  id     global rank of the process; null when unknown
-- column  category        text    name   annotation, step, loader, communication or operator
-- column  name            text    name   name of the range
-- column  domain          text    name   domain of NVTX it was marked in; null for none, and outside of NVTX
-- column  n               bigint  count  ranges with device work
-- column  ops             bigint  count  kernels, copies and fills launched within
-- column  projected_sum   bigint  ns     time from the first start to the last end on the device, added up over the ranges
-- column  projected_mean  double  ns     mean of that
-- column  projected_std   double  ns     standard deviation; null for a single one
-- column  projected_min   bigint  ns     shortest
-- column  projected_p50   double  ns     median
-- column  projected_max   bigint  ns     longest
-- column  dur_sum         bigint  ns     sum of the durations
--
-- needs   device_work, event
-- order   run, node, rank, category, projected_sum desc, name, domain
-- source  kineto, nsys

WITH ranges AS (
  SELECT run, node, rank, category, name, extract_arg(args, 'domain') AS domain, pid, tid, ts, dur, object, row
  FROM event
  WHERE
    category IN ('annotation', 'step', 'loader', 'communication', 'operator')
    AND coalesce(device, 'cpu') = 'cpu'
    AND ts IS NOT NULL
    AND dur > 0
    AND extract_arg(args, 'end_tid') IS NULL
),

work AS (
  SELECT run, object, correlation, count(*) AS ops, min(ts) AS first_ts, max(ts + dur) AS last_ts
  FROM device_work
  WHERE correlation IS NOT NULL
  GROUP BY run, object, correlation
),

-- A driver call inside a runtime call may have the same correlation: both are one launch.
calls AS (
  SELECT run, object, pid, tid, correlation, min(ts) AS ts, max(ts + dur) AS till
  FROM event
  WHERE category IN ('runtime', 'driver') AND correlation IS NOT NULL AND ts IS NOT NULL AND dur >= 0
  GROUP BY run, object, pid, tid, correlation
),

launches AS (
  SELECT
    c.run,
    c.object,
    c.pid,
    c.tid,
    array_agg(
      named_struct('ts', c.ts, 'dur', c.till - c.ts, 'ops', w.ops, 'first_ts', w.first_ts, 'last_ts', w.last_ts)
    ) AS launches
  FROM calls AS c
  JOIN work AS w ON w.run = c.run AND w.object = c.object AND w.correlation = c.correlation
  GROUP BY c.run, c.object, c.pid, c.tid
),

listed AS (
  SELECT run, object, pid, tid, array_agg(named_struct('ts', ts, 'dur', dur, 'row', row)) AS ranges
  FROM ranges
  GROUP BY run, object, pid, tid
),

-- One list of ranges and one of launches for each thread. A join by time would have a row for each range around each launch.
enclosed AS (
  SELECT r.run, r.object, unnest(r.ranges) AS marked, unnest(enclosed_work(l.launches, r.ranges)) AS work
  FROM listed AS r
  JOIN launches AS l
    ON l.run = r.run AND l.object = r.object AND (l.pid IS NOT DISTINCT FROM r.pid) AND (l.tid IS NOT DISTINCT FROM r.tid)
),

projected AS (
  SELECT run, object, marked['row'] AS row, work['ops'] AS ops, work['last_ts'] - work['first_ts'] AS projected
  FROM enclosed
  WHERE work IS NOT NULL
)

SELECT
  r.run,
  r.node,
  r.rank,
  r.category,
  r.name,
  r.domain,
  count(*) AS n,
  sum(p.ops) AS ops,
  sum(p.projected) AS projected_sum,
  avg(p.projected) AS projected_mean,
  stddev(p.projected) AS projected_std,
  min(p.projected) AS projected_min,
  median(p.projected) AS projected_p50,
  max(p.projected) AS projected_max,
  sum(r.dur) AS dur_sum
FROM projected AS p
JOIN ranges AS r ON r.run = p.run AND r.object = p.object AND r.row = p.row
GROUP BY r.run, r.node, r.rank, r.category, r.name, r.domain
ORDER BY run, node, rank, category, projected_sum DESC, name, domain
