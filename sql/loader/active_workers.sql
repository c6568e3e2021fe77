-- How many workers of the data loader were there in each second, and how many cores for them?
--
-- One row per machine and second of the clock in which a worker lived or a batch was asked for. `alive` counts the worker
-- processes that lived at any time in that second, `delivering` the workers whose batches were asked for in it. `cores` are those
-- that were sampled on the machine. Far more workers than cores get into each other's way; far fewer leave the machine idle
-- while the training waits.
--
-- Left out: workers whose life has no time or lasted more than a week.
--
-- smdebug's rule Dataloader counts the processes of all events of the loader by the second in which they start, the training
-- processes among them.
--
-- empty   no worker of a data loader was recorded: SageMaker's data loader profiling does that
--
-- column  run         text    id      run
-- column  node        text    id      machine
-- column  ts          bigint  time    start of the second
-- column  alive       bigint  count   worker processes that lived in it
-- column  delivering  bigint  count   workers whose batches were asked for in it
-- column  cores       bigint  count   cores of the machine; null when none was sampled
-- column  relative    double  factor  `alive` over `cores`
--
-- needs   worker_second
-- order   run, node, ts
-- source  sagemaker_framework, sagemaker_system

SELECT run, node, ts, alive, delivering, cores, relative
FROM worker_second
ORDER BY run, node, ts
