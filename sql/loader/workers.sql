-- When did each worker of the data loader live, and for how long?
--
-- One row per life of a worker: it begins with the start of the worker and ends with its exit. Workers that live for one
-- epoch only are started again for the next.
--
-- empty   no worker of a data loader was recorded: SageMaker's data loader profiling does that
--
-- column  run     text    id    run the worker belongs to
-- column  node    text    id    machine
-- column  rank    bigint  id    global rank of the process it worked for; null when unknown
-- column  pid     bigint  id    operating system process id
-- column  worker  bigint  id    worker number
-- column  ts      bigint  time  start of its life; null when no time was kept
-- column  dur     bigint  ns    length of its life
--
-- needs   loader
-- order   run, ts, node, rank, worker, pid, dur
-- source  sagemaker_framework, recorder

SELECT run, node, rank, pid, worker, ts, dur
FROM loader
WHERE kind = 'worker'
ORDER BY run, ts, node, rank, worker, pid, dur
