-- What are the key metrics of each run?
--
-- The key metrics in table `run`, computed again. The main mode is `train` if the run has steps of it, else the mode with the most time.
-- The durations are those of `step.duration`. If a run recorded no steps but its loader, they are those of its batches, including the work
-- on them (view `step_time`).
--
-- `loader_ratio` is the time in which a process waited for a batch, divided by the time in which it did a step or waited. It is a mean over
-- the processes that recorded both (view `process_wait`). `gpu_utilization` is the mean of all samples of GPU utilization.
--
-- `gpus` and all GPU-seconds are computed from samples of GPU utilization if there are any over some time, else from kernels; `gpu_source`
-- says which. With kernels, a device counts from the step of its recording with the first work of the device to the step with the last one:
-- nothing is known about it at other times. `idle_s` is the time without a computing kernel, copy or fill. It has three parts. In
-- `idle_communication_s`, only collectives ran. In `idle_loader_s`, nothing ran and the process waited for a batch. `idle_other_s` is the
-- rest: the host launched nothing. With samples, a device counts from its first sample to the last one, and its idle time follows from the
-- mean. `idle_loader_s` is then the mean wait of a process times the number of devices, at most `idle_s`. The other two parts are null.
-- Each part is an upper bound of the potential saving: a device may wait for something else at the same time.
--
-- `recorded_s` is the union of these times. Without devices it is the time from the first to the last time in the profile.
--
-- Excluded from the percentiles: steps that a recording cut short. A figure is null if its rows are missing.
--
-- empty   there are no runs
--
-- column  run                   text    id     name of the run
-- column  steps                 bigint  count  steps over all modes and recordings
-- column  step_p50              double  ns     median step of the main mode
-- column  step_p95              double  ns     95th percentile of that
-- column  loader_ratio          double  ratio  share of loop time spent waiting for data; waits over waits and steps, mean over the processes
-- column  gpu_utilization       double  ratio  mean share of time in which the GPU was busy
-- column  gpu_source            text    name   origin of the following columns: samples or kernels; null when no device was recorded
-- column  gpus                  bigint  count  devices that worked or were measured
-- column  recorded_s            double  s      time that recordings cover
-- column  gpu_s                 double  s      GPU-seconds that the recordings cover
-- column  idle_s                double  s      of these GPU-seconds, without computing and copying
-- column  idle_loader_s         double  s      idle GPU-seconds in which the process waited for data; an upper bound
-- column  idle_communication_s  double  s      of the idle ones, in communication alone
-- column  idle_other_s          double  s      of the idle ones, all else
--
-- needs   run, step_time, process_wait, step, next_call, sample, device_work, unread_device
-- order   run

WITH counted AS (
  SELECT run, count(*) AS steps
  FROM step_time
  GROUP BY run
),

modes AS (
  SELECT
    run,
    mode,
    median(dur) AS step_p50,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY dur) AS step_p95
  FROM step_time
  WHERE dur IS NOT NULL AND complete IS NOT FALSE
  GROUP BY run, mode
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY CASE WHEN mode = 'train' THEN 0 ELSE 1 END, sum(dur) DESC, mode) = 1
),

loading AS (
  SELECT
    run,
    avg(CAST(wait AS double) / nullif(wait_or_step, 0)) AS loader_ratio,
    avg(wait) FILTER (WHERE wait > 0) / 1e9 AS wait_s
  FROM process_wait
  GROUP BY run
),

-- Work on a device has the first priorities: computing, copies and fills, then collectives. The waits of its process follow.
worked AS (
  SELECT run, node, rank, object, device, ts, dur, CASE WHEN type = 'communication' THEN 2 ELSE 1 END AS priority
  FROM device_work
  WHERE dur > 0
),

-- One row per device and recording: from the step with the first work to the step with the last.
recorded AS (
  SELECT
    w.run,
    w.node,
    w.rank,
    w.object,
    w.device,
    least(w.ts, min(s.ts)) AS ts,
    greatest(w.till, max(s.ts + s.dur)) AS till
  FROM (
    SELECT run, node, rank, object, device, min(ts) AS ts, max(ts + dur) AS till
    FROM worked
    GROUP BY run, node, rank, object, device
  ) AS w
  LEFT JOIN step AS s ON s.run = w.run AND s.object = w.object AND s.ts < w.till AND s.ts + s.dur > w.ts
  GROUP BY w.run, w.node, w.rank, w.object, w.device, w.ts, w.till
),

waited AS (
  SELECT
    r.run,
    r.node,
    r.rank,
    r.object,
    r.device,
    greatest(n.ts, r.ts) AS ts,
    least(n.ts + n.dur, r.till) - greatest(n.ts, r.ts) AS dur,
    3 AS priority
  FROM next_call AS n
  JOIN recorded AS r ON r.run = n.run AND r.object = n.object AND n.ts < r.till AND n.ts + n.dur > r.ts
),

prioritized AS (
  SELECT run, node, rank, object, device, priority_lengths(ts, dur, priority) AS lengths
  FROM (
    SELECT run, node, rank, object, device, ts, dur, priority FROM worked
    UNION ALL
    SELECT run, node, rank, object, device, ts, dur, priority FROM waited
  ) AS both
  GROUP BY run, node, rank, object, device
),

traced AS (
  SELECT
    p.run,
    p.node,
    p.device,
    coalesce(CAST(p.rank AS text), 'file ' || CAST(p.object AS text)) AS process,
    r.ts,
    r.till - r.ts AS dur,
    r.till - r.ts - p.lengths[1] AS idle,
    coalesce(p.lengths[2], 0) AS communication,
    coalesce(p.lengths[3], 0) AS loader
  FROM prioritized AS p
  JOIN recorded AS r
    ON r.run = p.run
      AND (r.node IS NOT DISTINCT FROM p.node)
      AND (r.rank IS NOT DISTINCT FROM p.rank)
      AND r.object = p.object
      AND (r.device IS NOT DISTINCT FROM p.device)
),

-- Samples from hooks of the training have no time.
measured AS (
  SELECT
    run,
    sum(value) AS total,
    count(value) AS n,
    min(ts) FILTER (WHERE hook IS NULL) AS ts,
    max(ts) FILTER (WHERE hook IS NULL) - min(ts) FILTER (WHERE hook IS NULL) AS dur,
    greatest(1 - avg(value) FILTER (WHERE hook IS NULL) / 100, 0) AS idle_ratio
  FROM sample
  WHERE resource = 'gpu' AND metric = 'utilization' AND unit = 'percent'
  GROUP BY run, node, device
),

by_kernels AS (
  SELECT
    run,
    count(DISTINCT concat_ws('/', coalesce(node, ''), process, coalesce(device, ''))) AS gpus,
    union_length(ts, dur) / 1e9 AS recorded_s,
    sum(dur) / 1e9 AS gpu_s,
    sum(idle) / 1e9 AS idle_s,
    sum(loader) / 1e9 AS idle_loader_s,
    sum(communication) / 1e9 AS idle_communication_s,
    sum(idle - communication - loader) / 1e9 AS idle_other_s
  FROM traced
  GROUP BY run
),

by_samples AS (
  SELECT
    run,
    sum(total) / nullif(sum(n), 0) / 100 AS gpu_utilization,
    nullif(count(ts), 0) AS gpus,
    union_length(ts, dur) / 1e9 AS recorded_s,
    sum(dur) / 1e9 AS gpu_s,
    sum(dur * idle_ratio) / 1e9 AS idle_s
  FROM measured
  GROUP BY run
)

SELECT
  r.run,
  c.steps,
  m.step_p50,
  m.step_p95,
  l.loader_ratio,
  s.gpu_utilization,
  CASE WHEN s.gpu_s > 0 THEN 'samples' WHEN k.gpu_s > 0 THEN 'kernels' END AS gpu_source,
  CASE WHEN s.gpu_s > 0 THEN s.gpus ELSE k.gpus END AS gpus,
  coalesce(CASE WHEN s.gpu_s > 0 THEN s.recorded_s ELSE k.recorded_s END, (r.last_ts - r.first_ts) / 1e9) AS recorded_s,
  CASE WHEN s.gpu_s > 0 THEN s.gpu_s ELSE k.gpu_s END AS gpu_s,
  CASE WHEN s.gpu_s > 0 THEN s.idle_s ELSE k.idle_s END AS idle_s,
  CASE WHEN s.gpu_s > 0 THEN least(s.gpus * l.wait_s, s.idle_s) ELSE k.idle_loader_s END AS idle_loader_s,
  CASE WHEN s.gpu_s > 0 THEN NULL ELSE k.idle_communication_s END AS idle_communication_s,
  CASE WHEN s.gpu_s > 0 THEN NULL ELSE k.idle_other_s END AS idle_other_s
FROM run AS r
LEFT JOIN counted AS c ON c.run = r.run
LEFT JOIN modes AS m ON m.run = r.run
LEFT JOIN loading AS l ON l.run = r.run
LEFT JOIN unread_device AS d ON d.run = r.run
LEFT JOIN by_kernels AS k ON k.run = r.run AND d.run IS NULL
LEFT JOIN by_samples AS s ON s.run = r.run
ORDER BY r.run
