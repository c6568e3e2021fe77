-- How many data loader workers were alive in each second, and how many cores did the machine have?
--
-- One row per machine and second of the clock in which a worker was alive or a batch was requested. `alive` counts the worker processes
-- that lived at any time in that second. `delivering` counts the workers of the batches that were requested in it. `cores` counts the cores
-- that were sampled on the machine. With far more workers than cores, the workers compete for the cores. With far fewer, the machine is
-- idle while the training waits.
--
-- Excluded: workers without a recorded time, and workers that lived for more than a week.
--
-- smdebug's rule Dataloader counts the processes of all loader events in the second in which an event starts. This includes the training
-- processes.
--
-- empty   no worker of a data loader was recorded; SageMaker's data loader profiling and `tracelake record` record workers
--
-- column  run         text    id      name of the run
-- column  node        text    id      machine
-- column  ts          bigint  time    start of the second
-- column  alive       bigint  count   worker processes that lived in it
-- column  delivering  bigint  count   workers with a batch that was requested in it
-- column  cores       bigint  count   cores of the machine; null when none was sampled
-- column  relative    double  factor  `alive` over `cores`
--
-- needs   worker_second
-- order   run, node, ts
-- source  sagemaker_framework, sagemaker_system, recorder

SELECT run, node, ts, alive, delivering, cores, relative
FROM worker_second
ORDER BY run, node, ts
