-- How much time did calls take, by their path and by the Python function around them?
--
-- One row per file, path of calls (table `call_path`), Python function around them, and category of the events there. Categories are those
-- of calls, with their own path, and those of launches (`runtime`, `driver`), with the path around them. `dur_sum` adds up durations.
-- `covered_sum` excludes what an earlier call directly inside the same call covers, too: it is the time that the calls take from the call
-- around them. `work` is the device work that launches launched, found by the correlation that the profiler wrote. It is device time, like
-- CPU time: kernels that run concurrently each count in full.
--
-- Excluded: step marks; intervals on a device, without a time or with a duration below 0; device work above seven days, which comes from
-- clocks that overflowed.
--
-- column  run          text    id     name of the run
-- column  node         text    id     machine
-- column  rank         bigint  id     global rank of the process; null when unknown
-- column  span         bigint  id     recording of the process within the run, from 0
-- column  object       bigint  id     file of the rows, see table object
-- column  call_path    bigint  id     row of the path in `call_path`; null for launches outside of all calls
-- column  python_path  bigint  id     row in `call_path` of the innermost Python function or module around; null for these themselves
-- column  category     text    name   operator, annotation, communication, loader, python, module, runtime or driver
-- column  n            bigint  count  events
-- column  dur_sum      bigint  ns     sum of the durations
-- column  covered_sum  bigint  ns     the same without the time that an earlier call in the same call covers
-- column  work         bigint  ns     device work that the launches launched
--
-- cache   large
--
-- needs   event, host_call
-- order   run, object, call_path, python_path, category
-- source  kineto, nsys

-- A call without a path is one that is not nested, because it has no time or ran on a device.
WITH calls AS (
  SELECT run, node, rank, span, object, call_path, python_path, category, 1 AS n, dur, overlap_dur, 0 AS work
  FROM event
  WHERE
    category IN ('operator', 'annotation', 'communication', 'loader', 'python', 'module')
    AND call_path IS NOT NULL
  UNION ALL
  SELECT run, node, rank, span, object, call_path, python_path, category, 1 AS n, dur, overlap_dur, work
  FROM host_call
  WHERE is_launch
)

SELECT
  run,
  node,
  rank,
  span,
  object,
  call_path,
  python_path,
  category,
  sum(n) AS n,
  sum(dur) AS dur_sum,
  sum(dur - coalesce(overlap_dur, 0)) AS covered_sum,
  sum(work) AS work
FROM calls
GROUP BY run, node, rank, span, object, call_path, python_path, category
ORDER BY run, object, call_path, python_path, category
