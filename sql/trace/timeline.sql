-- What ran when, on which thread or stream, at a resolution that fits on a screen?
--
-- The window from `start` to `end` is divided into `bins` bins. An interval that lasts at least one bin has its own row. Shorter intervals
-- are merged by lane and bin. Their row has their number (`n`), the time in which at least one ran (`busy`), and the name of the longest. A
-- lane is a thread or stream (`track`) and the number of calls that enclose the interval there (`depth`). The intervals of a lane do not
-- overlap, with one exception. If two intervals of a track overlap in part, neither encloses the other, and both are in one lane.
--
-- Intervals that begin before the window or end after it are cut at its edges. The window is cut at the edges of the recording. A window is
-- empty if its `end` is not after its `start`. However long a recording is, a lane has at most about two rows for each bin. Only the
-- `lanes` busiest lanes of a run are returned.
--
-- Only one rank of each run is shown: the given `rank`, else the lowest. Of this rank, only the first recording with an interval in the
-- window is shown. With `python`, Python functions and modules are intervals too. Kernels that communicate (function `is_collective`) have the
-- category `communication`, as in view `device_work`.
--
-- Excluded: instants, the mark of the recording itself, and calls that are enclosed by more than `depth` others. Durations above seven days
-- are also excluded: they are caused by clock overflows.
--
-- empty   no interval of this rank is in the window, or no trace was recorded; `annotation.summary` and `operator.summary` show what was recorded
--
-- param   start   bigint in time = null  start of the window, in ns, like `ts`; null for the first event
-- param   end     bigint in time = null  end of the window, in ns, like `ts`; null for the last event
-- param   rank    bigint = null          rank to show; null for the lowest
-- param   bins    bigint in 1.. = 400    number of bins in the window
-- param   python  boolean = false        whether Python functions and modules are intervals
-- param   depth   bigint in 0.. = 8      maximum number of enclosing calls
-- param   lanes   bigint in 1.. = 40     maximum number of lanes of a run
--
-- column  run             text    id     name of the run
-- column  node            text    id     machine
-- column  rank            bigint  id     global rank of the process; null when unknown
-- column  pid             bigint  id     operating system process id; null on other devices than the CPU
-- column  track           text    name   row a viewer would draw it on: phase, thread or stream
-- column  device          text    name   device it ran on (cpu, gpu0); null when unknown
-- column  depth           bigint  count  rows that enclose it
-- column  category        text    name   category of the interval, of several that of the longest
-- column  name            text    name   name of the interval, of several that of the longest
-- column  ts              bigint  time   start; of several that of their bin
-- column  dur             bigint  ns     duration within the window; of several that of their bin
-- column  n               bigint  count  how many intervals the row stands for
-- column  busy            bigint  ns     time in which at least one ran
-- column  bin_dur         bigint  ns     length of a bin
-- column  window_ts       bigint  time   start of the window
-- column  window_dur      bigint  ns     its length
-- column  excluded_lanes  bigint  count  lanes that the run has beyond those given
--
-- needs   timed_event
-- order   run, node, rank, device, pid, track, depth, ts, name
-- source  kineto, nsys, sagemaker_framework

WITH intervals AS (
  SELECT
    *,
    (coalesce(rank, -1) = $rank OR $rank IS NULL)
    AND (ts + dur > $start OR ts >= $start OR $start IS NULL)
    AND (ts < $end OR $end IS NULL)
    AND ($end > $start OR $start IS NULL OR $end IS NULL) AS inside
  FROM timed_event
  WHERE
    ts IS NOT NULL
    AND coalesce(raw_category, '') <> 'Trace'
    AND (category NOT IN ('python', 'module') OR $python)
),

timed AS (
  SELECT
    * EXCLUDE (category, track, pid, type),
    CASE WHEN coalesce(device, 'cpu') = 'cpu' THEN pid END AS pid,
    coalesce(track, category) AS track,
    CASE WHEN type = 'communication' THEN type ELSE category END AS category
  FROM intervals
  WHERE inside
),

-- For each recording, the start of its first interval that is in the window and of the rank. Its start and end are those
-- regardless of the window: a window reaches no further.
extents AS (
  SELECT
    run,
    node,
    rank,
    object,
    min(ts) FILTER (WHERE inside) AS first_ts,
    min(min(ts)) OVER (PARTITION BY run, object) AS begin_ts,
    max(max(ts + dur)) OVER (PARTITION BY run, object) AS end_ts
  FROM intervals
  GROUP BY run, node, rank, object
),

windows AS (
  SELECT run, object, greatest($start, begin_ts) AS window_ts, least($end, end_ts) AS window_end
  FROM extents
  WHERE first_ts IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY rank NULLS LAST, node, first_ts, object) = 1
),

chosen AS (
  SELECT
    run,
    object,
    window_ts,
    greatest(window_end - window_ts, 1) AS window_dur,
    greatest((window_end - window_ts + $bins - 1) / $bins, 1) AS bin_dur
  FROM windows
),

framed AS (
  SELECT
    t.*,
    c.window_ts,
    c.window_dur,
    c.bin_dur,
    call_frame(coalesce(t.name, ''), t.ts, t.dur, 0) OVER (
      PARTITION BY t.run, t.pid, t.track, t.device ORDER BY t.ts, t.dur DESC, t.object, t.row
    ) AS frame
  FROM timed AS t
  JOIN chosen AS c ON c.run = t.run AND c.object = t.object
),

cut AS (
  SELECT
    * EXCLUDE (ts, dur),
    frame['depth'] AS depth,
    greatest(ts, window_ts) AS ts,
    least(ts + dur, window_ts + window_dur) - greatest(ts, window_ts) AS dur
  FROM framed
  WHERE frame['depth'] <= $depth
),

merged AS (
  SELECT
    run,
    node,
    rank,
    pid,
    track,
    device,
    depth,
    first_value(category ORDER BY dur DESC, ts, object, row) AS category,
    first_value(name ORDER BY dur DESC, ts, object, row) AS name,
    min(ts) AS first_ts,
    max(dur) AS longest,
    count(*) AS n,
    union_length(ts, dur) AS busy,
    sum(union_length(ts, dur)) OVER (PARTITION BY run, pid, track, device, depth) AS lane_busy,
    (min(ts) - window_ts) / bin_dur AS place,
    bin_dur,
    window_ts,
    window_dur
  FROM cut
  GROUP BY
    run, node, rank, pid, track, device, depth, bin_dur, window_ts, window_dur,
    CASE WHEN dur < bin_dur THEN (ts - window_ts) / bin_dur END,
    CASE WHEN dur >= bin_dur THEN object END,
    CASE WHEN dur >= bin_dur THEN row END
),


ranked AS (
  SELECT
    *,
    CAST(dense_rank() OVER (PARTITION BY run ORDER BY lane_busy DESC, pid, track, device, depth) AS bigint) AS lane
  FROM merged
),

counted AS (
  SELECT *, max(lane) OVER (PARTITION BY run) AS lanes
  FROM ranked
)

SELECT
  * EXCLUDE (first_ts, longest, place, lane_busy, lane, lanes),
  CASE WHEN n = 1 THEN first_ts ELSE window_ts + place * bin_dur END AS ts,
  CASE WHEN n = 1 THEN longest ELSE bin_dur END AS dur,
  greatest(lanes - $lanes, 0) AS excluded_lanes
FROM counted
WHERE lane <= $lanes
ORDER BY run, node, rank, device, pid, track, depth, ts, name
