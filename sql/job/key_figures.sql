-- What is there to say about a run in one line?
--
-- The key figures that table `run` keeps, computed anew. The main mode is `train` if the run has steps of it, else the mode
-- that most time went into. The durations are those of `step.duration`.
--
-- `loader_ratio` is the time in which a process waited for a batch over the time in which it did a step or waited, as a mean
-- over the processes that recorded both. `gpu_percent` is the mean of all samples of GPU utilisation.
--
-- Left out of the percentiles: steps that a recording cut short. A figure is null where its rows are missing.
--
-- empty   there are no runs
--
-- column  run           text    id       name of the run
-- column  steps         bigint  count    steps over all modes and recordings
-- column  step_p50      double  ns       median step of the main mode
-- column  step_p95      double  ns       95th percentile of that
-- column  loader_ratio  double  ratio    waiting for data over waiting and stepping
-- column  gpu_percent   double  percent  mean GPU utilisation
--
-- needs   run, step_span, process_wait, sample
-- order   run
-- source  sagemaker_system, sagemaker_framework, kineto

WITH counted AS (
  SELECT run, count(*) AS steps
  FROM step_span
  GROUP BY run
),

modes AS (
  SELECT
    run,
    mode,
    median(dur) AS step_p50,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY dur) AS step_p95,
    row_number() OVER (
      PARTITION BY run ORDER BY CASE WHEN mode = 'train' THEN 0 ELSE 1 END, sum(dur) DESC, mode
    ) AS place
  FROM step_span
  WHERE dur IS NOT NULL AND complete IS NOT FALSE
  GROUP BY run, mode
),

loading AS (
  SELECT run, avg(CAST(wait AS double) / nullif(busy, 0)) AS loader_ratio
  FROM process_wait
  GROUP BY run
),

gpu AS (
  SELECT run, avg(value) AS gpu_percent
  FROM sample
  WHERE resource = 'gpu' AND metric = 'utilization' AND unit = 'percent'
  GROUP BY run
)

SELECT r.run, c.steps, m.step_p50, m.step_p95, l.loader_ratio, g.gpu_percent
FROM run AS r
LEFT JOIN counted AS c ON c.run = r.run
LEFT JOIN modes AS m ON m.run = r.run AND m.place = 1
LEFT JOIN loading AS l ON l.run = r.run
LEFT JOIN gpu AS g ON g.run = r.run
ORDER BY r.run
