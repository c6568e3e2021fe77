-- What ran when, on which thread or stream, at a resolution that fits on a screen?
--
-- The window from `start` to `end` is cut into `bins` bins. An interval that lasts a bin or longer is a row of its own; shorter ones
-- are merged by lane and bin, so that a row says how many there were (`n`), how long at least one ran (`busy`) and what the
-- longest was. A lane is a thread or stream (`track`) and how many calls enclose the interval there (`depth`). The intervals of a
-- lane lie side by side, except where some of a track overlap in part: none of them encloses the other, so that they lie over each other
-- in one lane. Intervals that begin before the window or end after it are cut at its edges, and the window at those of the recording;
-- one whose `end` is not after its `start` holds nothing. However long a recording is, a lane has at most about two rows for each
-- bin, and only the `lanes` busiest lanes of a run are given.
--
-- One rank of each run: the one that is asked for, else the lowest; of it the first recording that has anything in the window.
-- Python functions and modules are intervals with `python`.
--
-- Kernels that communicate (`nccl` in their name) have the category `communication`, as in view `device_work`.
--
-- Left out: instants, the mark of the recording itself, and durations above seven days, which come of clocks that overflowed; calls
-- that are enclosed by more than `depth` others.
--
-- empty   no interval of this rank lies in the window, or no trace was recorded (`annotation.summary`, `operator.summary` tell)
--
-- param   start     bigint = null       begin of the window, in ns since the Unix epoch; null for the first event
-- param   end       bigint = null       end of the window, in ns since the Unix epoch; null for the last event
-- param   rank      bigint = null       rank to show; null for the lowest
-- param   bins      bigint >= 1 = 400   bins that the window is cut into
-- param   python    boolean = false     whether Python functions and modules are intervals
-- param   depth     bigint >= 0 = 8     greatest number of enclosing calls
-- param   lanes     bigint >= 1 = 40    greatest number of lanes of a run
--
-- column  run       text    id     run the intervals belong to
-- column  node      text    id     machine
-- column  rank      bigint  id     global rank of the process; null when unknown
-- column  pid       bigint  id     operating system process id; null on other devices than the CPU
-- column  track     text    name   thread or stream
-- column  device    text    name   device it ran on (cpu, gpu0); null when unknown
-- column  depth     bigint  count  enclosing intervals on the track
-- column  category  text    name   category of the interval, of several that of the longest
-- column  name      text    name   name of the interval, of several that of the longest
-- column  ts        bigint  time   start; of several that of their bin
-- column  dur       bigint  ns     duration within the window; of several that of their bin
-- column  n         bigint  count  how many intervals the row stands for
-- column  busy      bigint  ns     time in which at least one of them ran
-- column  bin       bigint  ns     length of a bin
-- column  window_ts  bigint  time  begin of the window
-- column  window_dur bigint  ns    its length
-- column  left_out  bigint  count  lanes that the run has beyond those given
--
-- needs   event
-- order   run, node, rank, device, pid, track, depth, ts, name
-- source  kineto, nsys

WITH intervals AS (
  SELECT
    *,
    (coalesce(rank, -1) = $rank OR $rank IS NULL)
    AND (ts + dur > $start OR ts >= $start OR $start IS NULL)
    AND (ts < $end OR $end IS NULL)
    AND ($end > $start OR $start IS NULL OR $end IS NULL) AS inside
  FROM event
  WHERE
    ts IS NOT NULL
    AND dur BETWEEN 0 AND 604800000000000
    AND coalesce(raw_category, '') <> 'Trace'
    AND (category NOT IN ('python', 'module') OR $python)
),

timed AS (
  SELECT
    run,
    node,
    rank,
    CASE WHEN coalesce(device, 'cpu') = 'cpu' THEN pid END AS pid,
    coalesce(track, category) AS track,
    device,
    stream,
    CASE WHEN category = 'kernel' AND regexp_like(name, 'nccl', 'i') THEN 'communication' ELSE category END AS category,
    name,
    ts,
    dur,
    object,
    row
  FROM intervals
  WHERE inside
),

-- What each recording has: all of it, and what begins first in the window and is of the rank.
recordings AS (
  SELECT
    run,
    node,
    rank,
    object,
    min(ts) AS begin_ts,
    max(ts + dur) AS end_ts,
    min(ts) FILTER (WHERE inside) AS first_ts
  FROM intervals
  GROUP BY run, node, rank, object
),

-- When the recordings begin and end, whatever the window is: a window reaches no further.
extents AS (
  SELECT
    run,
    node,
    rank,
    object,
    first_ts,
    min(begin_ts) OVER (PARTITION BY run, object) AS begin_ts,
    max(end_ts) OVER (PARTITION BY run, object) AS end_ts
  FROM recordings
),

numbered AS (
  SELECT *, row_number() OVER (PARTITION BY run ORDER BY rank NULLS LAST, node, first_ts, object) AS number
  FROM extents
  WHERE first_ts IS NOT NULL
),

windows AS (
  SELECT run, object, greatest($start, begin_ts) AS window_ts, least($end, end_ts) AS window_end
  FROM numbered
  WHERE number = 1
),

chosen AS (
  SELECT
    run,
    object,
    window_ts,
    greatest(window_end - window_ts, 1) AS window_dur,
    greatest((window_end - window_ts + $bins - 1) / $bins, 1) AS bin
  FROM windows
),

framed AS (
  SELECT
    t.*,
    c.window_ts,
    c.window_dur,
    c.bin,
    call_frame(coalesce(t.name, ''), t.ts, t.dur, 0) OVER (
      PARTITION BY t.run, t.pid, t.track, t.device ORDER BY t.ts, t.dur DESC, t.object, t.row
    ) AS frame
  FROM timed AS t
  JOIN chosen AS c ON c.run = t.run AND c.object = t.object
),

cut AS (
  SELECT
    run,
    node,
    rank,
    pid,
    track,
    device,
    frame['depth'] AS depth,
    category,
    name,
    greatest(ts, window_ts) AS ts,
    least(ts + dur, window_ts + window_dur) - greatest(ts, window_ts) AS dur,
    bin,
    window_ts,
    window_dur,
    object,
    row
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
    (min(ts) - window_ts) / bin AS place,
    bin,
    window_ts,
    window_dur
  FROM cut
  GROUP BY
    run, node, rank, pid, track, device, depth, bin, window_ts, window_dur,
    CASE WHEN dur < bin THEN (ts - window_ts) / bin END,
    CASE WHEN dur >= bin THEN object END,
    CASE WHEN dur >= bin THEN row END
),

summed AS (
  SELECT *, sum(busy) OVER (PARTITION BY run, pid, track, device, depth) AS lane_busy
  FROM merged
),

ranked AS (
  SELECT
    *,
    CAST(dense_rank() OVER (PARTITION BY run ORDER BY lane_busy DESC, pid, track, device, depth) AS bigint) AS lane
  FROM summed
),

counted AS (
  SELECT *, max(lane) OVER (PARTITION BY run) AS lanes
  FROM ranked
)

SELECT
  run,
  node,
  rank,
  pid,
  track,
  device,
  depth,
  category,
  name,
  CASE WHEN n = 1 THEN first_ts ELSE window_ts + place * bin END AS ts,
  CASE WHEN n = 1 THEN longest ELSE bin END AS dur,
  n,
  busy,
  bin,
  window_ts,
  window_dur,
  greatest(lanes - $lanes, 0) AS left_out
FROM counted
WHERE lane <= $lanes
ORDER BY run, node, rank, device, pid, track, depth, ts, name
