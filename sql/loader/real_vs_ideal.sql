-- How much faster would an epoch be if loading its data took no time?
--
-- For DALI's Loader Evaluator, the query compares each real pass with each ideal pass of the same run, or of any run if `across` is true.
-- An ideal pass is a replay of cached batches. `speedup` is the real time over the ideal time. Both passes must have ended and must have
-- the same number of batches. If they do not, or if a pass has no counterpart, `why` gives the reason. A replay repeats a few batches, so
-- caches, and work that depends on the input, make the ideal pass look too fast. It does not include the start of workers. One pass on each
-- side has no error bar.
--
-- For other loops, the ideal is the same steps without their waits (`measure` steps or calls). It stands for a loader that never makes the
-- loop wait and costs the steps nothing. This ideal time is computed; that of a replay is measured.
--
-- empty   no call for a batch was recorded; record calls with `tracelake record`, or ingest timings of your own loop, DALI's Loader Evaluator, SageMaker's data loader profiling or a trace
--
-- param   bottleneck  double = 1.5     speed-up above which loading is the bottleneck (notebook of DALI's Loader Evaluator)
-- param   potential   double = 1.1     speed-up above which loading may be a bottleneck
-- param   across      boolean = false  whether passes of different runs are compared with each other
--
-- column  run            text    id      name of the run
-- column  node           text    id      machine
-- column  rank           bigint  id      global rank of the process; null when unknown
-- column  pid            bigint  id      operating system process id; null when unknown
-- column  loader         text    name    name of the loader or iterator; null when unknown
-- column  object         bigint  id      file of the row, see table object
-- column  ideal_run      text    id      run of the ideal side; null when there is none
-- column  ideal_loader   text    name    loader of the ideal side
-- column  ideal_object   bigint  id      file of the ideal side
-- column  measure        text    name    replay, steps or calls; null when nothing was recorded to compare with
-- column  batches        bigint  count   batches; of the real side
-- column  ideal_batches  bigint  count   batches of the ideal side
-- column  load_mean      double  ns      mean wait; of the real side
-- column  real           bigint  ns      time on the real side; null when unknown
-- column  ideal          bigint  ns      time on the ideal side; null when unknown
-- column  speedup        double  factor  how many times as fast
-- column  saved          bigint  ns      `real` without `ideal`
-- column  saved_ratio    double  ratio   `saved` over `real`
-- column  rating         text    name    bottleneck, potential or none; null when there is no speed-up
-- column  why            text    text    why the result is null; else null
--
-- needs   loader_pass
-- order   run, node, rank, pid, loader, object, ideal_run, ideal_loader, ideal_object
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH side AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    variant,
    max(measure) AS measure,
    sum(batches) AS batches,
    sum(steps) AS steps,
    sum(load) AS load,
    sum(total) AS total,
    CAST(sum(waited) AS double) / sum(batches) AS load_mean
  FROM loader_pass
  GROUP BY run, node, rank, pid, loader, object, variant
),

paired AS (
  SELECT
    r.run,
    r.node,
    r.rank,
    r.pid,
    r.loader,
    r.object,
    i.run AS ideal_run,
    i.loader AS ideal_loader,
    i.object AS ideal_object,
    CASE WHEN i.run IS NOT NULL THEN 'replay' END AS measure,
    r.batches,
    i.batches AS ideal_batches,
    r.load_mean,
    r.total AS real,
    i.total AS ideal,
    CASE
      WHEN i.run IS NULL THEN 'no replay was recorded'
      WHEN r.total IS NULL THEN 'the real pass did not end'
      WHEN i.total IS NULL THEN 'the replay did not end'
      WHEN r.batches <> i.batches THEN 'the passes have ' || r.batches || ' and ' || i.batches || ' batches'
    END AS why
  FROM side AS r
  LEFT JOIN side AS i ON i.variant = 'ideal' AND (i.run = r.run OR $across)
  WHERE r.variant = 'real'
  UNION ALL
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    CASE WHEN false THEN run END AS ideal_run,
    CASE WHEN false THEN loader END AS ideal_loader,
    CAST(null AS bigint) AS ideal_object,
    measure,
    batches,
    CASE WHEN measure IS NOT NULL THEN steps END AS ideal_batches,
    load_mean,
    total AS real,
    total - load AS ideal,
    CASE WHEN measure IS NULL THEN 'neither the work on the batches nor the times of the calls were recorded' END AS why
  FROM side
  WHERE variant IS NULL
),

sped AS (
  SELECT *, CASE WHEN why IS NULL THEN CAST(real AS double) / nullif(ideal, 0) END AS speedup
  FROM paired
)

SELECT
  * EXCLUDE (why),
  CASE WHEN speedup IS NOT NULL THEN real - ideal END AS saved,
  1 - 1 / speedup AS saved_ratio,
  CASE
    WHEN speedup > $bottleneck THEN 'bottleneck'
    WHEN speedup > $potential THEN 'potential'
    WHEN speedup IS NOT NULL THEN 'none'
  END AS rating,
  CASE WHEN speedup IS NULL THEN coalesce(why, 'the ideal side took no time') END AS why
FROM sped
ORDER BY run, node, rank, pid, loader, object, ideal_run, ideal_loader, ideal_object
