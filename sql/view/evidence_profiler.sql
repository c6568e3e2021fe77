-- How much of each run's recordings was the work of the profiler itself?
--
-- One row per run. PyTorch's traces have events of category `overhead` for the work of a device's profiling library: requesting buffers,
-- loading functions, flushing. These events may overlap, so the view uses the length of their union. It divides this by the time from the
-- first to the last host or device work of the recording. If a run has several recordings, the row is that of the one with the largest
-- share. A trace without such events does not show that profiling cost nothing: all columns are then null.
--
-- column  run         text    id     name of the run
-- column  recordings  bigint  count  recordings that name the cost of profiling; null without any
-- column  rank        bigint  id     global rank of the process; null when unknown
-- column  overhead    bigint  ns     time in which the profiler worked
-- column  total       bigint  ns     time that the ratios of the row are a share of
-- column  share       double  ratio  the one over the other
-- column  name        text    name   what took most of it
--
-- cache   large
-- needs   run, timed_event
-- order   run

WITH longest AS (
  SELECT run, object, name
  FROM timed_event
  WHERE category = 'overhead'
  GROUP BY run, object, name
  QUALIFY row_number() OVER (PARTITION BY run, object ORDER BY sum(dur) DESC, name) = 1
),

recorded AS (
  SELECT
    run,
    rank,
    object,
    union_length(ts, dur) FILTER (WHERE category = 'overhead') AS overhead,
    max(ts + dur) - min(ts) AS total
  FROM timed_event
  WHERE category IN ('overhead', 'operator', 'communication', 'runtime', 'driver', 'kernel', 'memcpy', 'memset')
  GROUP BY run, rank, object
),

chosen AS (
  SELECT
    d.*,
    CAST(d.overhead AS double) / nullif(d.total, 0) AS share,
    l.name,
    count(*) OVER (PARTITION BY d.run) AS recordings
  FROM recorded AS d
  JOIN longest AS l ON l.run = d.run AND l.object = d.object
  QUALIFY row_number() OVER (PARTITION BY d.run ORDER BY share DESC NULLS LAST, d.rank, d.object) = 1
)

SELECT r.run, k.recordings, k.rank, k.overhead, k.total, k.share, k.name
FROM run AS r
LEFT JOIN chosen AS k ON k.run = r.run
ORDER BY r.run
