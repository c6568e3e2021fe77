-- What are the key metrics of each run?
--
-- The key metrics in table `run`, computed again. The main mode is `train` if the run has steps of it, else the mode with the most time.
-- The durations are those of `step.duration`. If a run recorded no steps but its loader, they are those of its batches, including the work
-- on them (view `step_time`).
--
-- `loader_ratio` is the time in which a process waited for a batch, divided by the time in which it did a step or waited. It is a mean over
-- the processes that recorded both (view `process_wait`). `gpu_utilization` is the mean of all samples of GPU utilization.
--
-- `gpus` and all GPU-seconds are computed from kernels if there are any, else from samples of GPU utilization. With kernels, a device
-- counts from the first work, step or wait of its recording to the last one. `idle_s` is the time without a computing kernel, copy or fill.
-- It has three parts. In `idle_communication_s`, only collectives ran. In `idle_loader_s`, nothing ran and the process waited for a batch.
-- `idle_other_s` is the rest: the host launched nothing. With samples, a device counts from its first sample to the last one, and its idle
-- time follows from the mean. `idle_loader_s` is then the mean wait of a process times the number of devices, at most `idle_s`. The other
-- two parts are null. Each part is an upper bound of the potential saving: a device may wait for something else at the same time.
--
-- `verdict` follows the rule of `job.verdict`, with its limits, over these figures alone. It is `no_data` if they are null. `job.verdict`
-- also uses the steps of a trace and reports. With kernels, the shares are those of the GPU-seconds. Otherwise the input share is
-- `loader_ratio`, or the median share of the batches if that is smaller. With samples, the device share is their mean while the run
-- trained.
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
-- column  verdict               text    name   input-bound, compute-bound, communication-bound, host-bound, mixed or no_data
-- column  gpus                  bigint  count  devices that worked or were measured
-- column  recorded_s            double  s      time that recordings cover
-- column  gpu_s                 double  s      GPU-seconds that the recordings cover
-- column  idle_s                double  s      of these GPU-seconds, without computing and copying
-- column  idle_loader_s         double  s      idle GPU-seconds in which the process waited for data; an upper bound
-- column  idle_communication_s  double  s      of the idle ones, in communication alone
-- column  idle_other_s          double  s      of the idle ones, all else
--
-- needs   run, step_time, process_wait, step, next_call, loader, sample, device_work
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

spent AS (
  SELECT run, node, rank, object, ts, dur, true AS waiting
  FROM next_call
  WHERE ts IS NOT NULL
  UNION ALL
  SELECT run, node, rank, object, ts, dur, false AS waiting
  FROM step
  WHERE ts IS NOT NULL AND dur IS NOT NULL
),

loading AS (
  SELECT
    run,
    avg(CAST(wait AS double) / nullif(wait_or_step, 0)) AS loader_ratio,
    avg(wait) FILTER (WHERE wait > 0) / 1e9 AS wait_s
  FROM process_wait
  GROUP BY run
),

batched AS (
  SELECT run, median(CAST(dur AS double) / nullif(dur + compute_dur, 0)) AS loader_ratio
  FROM loader
  WHERE kind = 'next' AND dur >= 0 AND compute_dur >= 0 AND (variant IS DISTINCT FROM 'ideal')
  GROUP BY run
),

-- Work on a device has the first priorities: computing, copies and fills, then collectives. The waits and the steps of its process follow,
-- once for each of its devices.
worked AS (
  SELECT run, node, rank, object, device, ts, dur, CASE WHEN type = 'communication' THEN 2 ELSE 1 END AS priority
  FROM device_work
  WHERE dur > 0
),

host_waits AS (
  SELECT d.run, d.node, d.rank, d.object, d.device, s.ts, s.dur, CASE WHEN s.waiting THEN 3 ELSE 4 END AS priority
  FROM spent AS s
  JOIN (SELECT DISTINCT run, node, rank, object, device FROM worked) AS d ON d.run = s.run AND d.object = s.object
),

-- One row per device and recording.
prioritized AS (
  SELECT
    run,
    node,
    device,
    coalesce(CAST(rank AS text), 'file ' || CAST(object AS text)) AS process,
    min(ts) AS ts,
    max(ts + dur) AS till,
    priority_lengths(ts, dur, priority) FILTER (WHERE priority < 4) AS lengths
  FROM (
    SELECT run, node, rank, object, device, ts, dur, priority FROM worked
    UNION ALL
    SELECT run, node, rank, object, device, ts, dur, priority FROM host_waits
  ) AS both
  GROUP BY run, node, rank, object, device
),

traced AS (
  SELECT
    *,
    till - ts AS dur,
    till - ts - lengths[1] AS idle,
    coalesce(lengths[2], 0) AS communication,
    coalesce(lengths[3], 0) AS loader
  FROM prioritized
),

trained AS (
  -- Steps without an epoch cannot be compared with samples.
  SELECT s.run, min(s.ts) AS ts, max(s.ts + s.dur) AS till
  FROM step AS s
  JOIN run AS r ON r.run = s.run AND s.ts >= r.first_ts
  GROUP BY s.run
),

-- Samples from hooks of the training have no time.
measured AS (
  SELECT
    s.run,
    sum(s.value) AS total,
    count(s.value) AS n,
    sum(s.value) FILTER (WHERE t.ts IS NULL OR s.ts IS NULL OR s.ts BETWEEN t.ts AND t.till) AS trained_total,
    count(s.value) FILTER (WHERE t.ts IS NULL OR s.ts IS NULL OR s.ts BETWEEN t.ts AND t.till) AS trained_n,
    min(s.ts) FILTER (WHERE s.hook IS NULL) AS ts,
    max(s.ts) FILTER (WHERE s.hook IS NULL) - min(s.ts) FILTER (WHERE s.hook IS NULL) AS dur,
    greatest(1 - avg(s.value) FILTER (WHERE s.hook IS NULL) / 100, 0) AS idle_ratio
  FROM sample AS s
  LEFT JOIN trained AS t ON t.run = s.run
  WHERE s.resource = 'gpu' AND s.metric = 'utilization' AND s.unit = 'percent'
  GROUP BY s.run, s.node, s.device
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
    sum(trained_total) / nullif(sum(trained_n), 0) / 100 AS busy,
    sum(trained_n) AS readings,
    nullif(count(ts), 0) AS gpus,
    union_length(ts, dur) / 1e9 AS recorded_s,
    sum(dur) / 1e9 AS gpu_s,
    sum(dur * idle_ratio) / 1e9 AS idle_s
  FROM measured
  GROUP BY run
),

together AS (
  SELECT
    r.run,
    c.steps,
    m.step_p50,
    m.step_p95,
    l.loader_ratio,
    s.gpu_utilization,
    k.run IS NOT NULL AS has_kernels,
    -- a slow start raises one of the two, so the smaller one counts
    least(l.loader_ratio, b.loader_ratio) AS input,
    coalesce(k.gpus, s.gpus) AS gpus,
    coalesce(k.recorded_s, s.recorded_s, (r.last_ts - r.first_ts) / 1e9) AS recorded_s,
    coalesce(k.gpu_s, s.gpu_s) AS gpu_s,
    coalesce(k.idle_s, s.idle_s) AS idle_s,
    CASE
      WHEN k.run IS NOT NULL THEN k.idle_loader_s
      WHEN l.wait_s IS NOT NULL THEN least(s.gpus * l.wait_s, s.idle_s)
    END AS idle_loader_s,
    k.idle_communication_s,
    k.idle_other_s,
    coalesce(s.busy, 1 - (k.idle_loader_s + k.idle_other_s) / nullif(k.gpu_s, 0)) AS busy,
    CASE
      WHEN k.run IS NOT NULL THEN coalesce(c.steps, 1)
      WHEN l.loader_ratio IS NOT NULL THEN c.steps
      ELSE coalesce(c.steps, s.readings)
    END AS judged_steps
  FROM run AS r
  LEFT JOIN counted AS c ON c.run = r.run
  LEFT JOIN modes AS m ON m.run = r.run
  LEFT JOIN loading AS l ON l.run = r.run
  LEFT JOIN batched AS b ON b.run = r.run
  LEFT JOIN by_kernels AS k ON k.run = r.run
  LEFT JOIN by_samples AS s ON s.run = r.run
)

SELECT
  run,
  steps,
  step_p50,
  step_p95,
  loader_ratio,
  gpu_utilization,
  bound_by(
    judged_steps,
    CASE WHEN has_kernels THEN idle_loader_s / nullif(gpu_s, 0) ELSE input END,
    idle_communication_s / nullif(gpu_s, 0),
    CASE
      WHEN has_kernels THEN idle_other_s / nullif(gpu_s, 0)
      WHEN input IS NOT NULL THEN greatest(1 - busy - input, 0)
    END,
    CASE WHEN has_kernels THEN 1 - idle_s / nullif(gpu_s, 0) ELSE busy END,
    1 - busy,
    busy,
    0.2, 2.0, 0.5, 0.8
  ) AS verdict,
  gpus,
  recorded_s,
  gpu_s,
  idle_s,
  idle_loader_s,
  idle_communication_s,
  idle_other_s
FROM together
ORDER BY run
