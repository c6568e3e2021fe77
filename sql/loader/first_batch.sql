-- Was the first batch of an epoch much slower than the others?
--
-- One row per pass of a loop. `relative` is the wait for its first batch over the median of its other waits. A large value comes from the
-- start of the workers, a cold cache or a compiler. `persistent_workers=True` and a few warm-up batches help. A slow first batch says
-- nothing about the steps after it. A recording that begins in the middle of an epoch does not contain the first batch of that epoch and
-- does not show its wait.
--
-- empty   no call for a batch was recorded; record calls with `tracelake record`, or ingest timings of your own loop, DALI's Loader Evaluator, SageMaker's data loader profiling or a trace
--
-- param   factor  double = 10.0  the first wait is slow above this multiple of the median of the other waits
--
-- column  run         text     id      name of the run
-- column  node        text     id      machine
-- column  rank        bigint   id      global rank of the process; null when unknown
-- column  pid         bigint   id      operating system process id; null when unknown
-- column  loader      text     name    name of the loader or iterator; null when unknown
-- column  object      bigint   id      file of the row, see table object; null where calls have times
-- column  variant     text     name    real or ideal, of tools that time a replay; else null
-- column  pass        bigint   id      pass of the loop, from 0
-- column  epoch       bigint   id      epoch as recorded; null when unknown
-- column  rest        bigint   count   other batches
-- column  load_first  bigint   ns      wait for the first batch; null if it was excluded as corrupt
-- column  rest_p50    double   ns      median wait for the others; null if there are none
-- column  relative    double   factor  `load_first` over `rest_p50`
-- column  slow        boolean  flag    whether `relative` lies above `factor`; null when it is unknown
--
-- needs   loader_batch
-- order   run, node, rank, pid, loader, object, pass
-- source  loader_timings, dali_loader_evaluator, sagemaker_framework, kineto, nsys, recorder


WITH divided AS (
  SELECT
    run,
    node,
    rank,
    pid,
    loader,
    object,
    variant,
    pass,
    min(epoch) AS epoch,
    count(*) FILTER (WHERE NOT is_first) AS rest,
    max(load) FILTER (WHERE is_first) AS load_first,
    median(CASE WHEN NOT is_first THEN CAST(load AS double) END) AS rest_p50
  FROM loader_batch
  GROUP BY run, node, rank, pid, loader, object, variant, pass
)

SELECT
  *,
  load_first / nullif(rest_p50, 0) AS relative,
  load_first / nullif(rest_p50, 0) > $factor AS slow
FROM divided
ORDER BY run, node, rank, pid, loader, object, pass
