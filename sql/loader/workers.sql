-- When did each data loader worker live, and for how long?
--
-- One row per life of a worker, from its start to its exit. Workers that live for only one epoch are started again for the next one.
--
-- empty   no worker of a data loader was recorded; SageMaker's data loader profiling and `tracelake record` record workers
--
-- column  run     text    id    name of the run
-- column  node    text    id    machine
-- column  rank    bigint  id    global rank of the process; null when unknown
-- column  pid     bigint  id    operating system process id
-- column  worker  bigint  id    worker number
-- column  ts      bigint  time  start of its life; null when no time was recorded
-- column  dur     bigint  ns    length of its life
--
-- needs   loader
-- order   run, ts, node, rank, worker, pid, dur
-- source  sagemaker_framework, recorder

SELECT run, node, rank, pid, worker, ts, dur
FROM loader
WHERE kind = 'worker'
ORDER BY run, ts, node, rank, worker, pid, dur
