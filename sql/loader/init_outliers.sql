-- Which initializations of the data loader took much longer than usual?
--
-- An initialization is an outlier when it lasted at least `factor` times the median of its run and iterator, over all processes.
--
-- empty   no initialization took at least `factor` times the median, or none was recorded (`loader.init` shows which)
--
-- param   factor  double = 2.0  minimum duration of an outlier, as a multiple of the median
--
-- column  run          text    id      name of the run
-- column  node         text    id      machine
-- column  rank         bigint  id      global rank of the process; null when unknown
-- column  pid          bigint  id      operating system process id
-- column  loader       text    name    name of the loader or iterator
-- column  num_workers  bigint  count   worker processes of the loader
-- column  ts           bigint  time    start; null when no time was recorded
-- column  dur          bigint  ns      duration
-- column  dur_p50      double  ns      median; of its run and iterator
-- column  relative     double  factor  `dur` over `dur_p50`
--
-- needs   loader
-- order   run, ts, node, rank, pid, dur
-- source  sagemaker_framework, kineto, recorder

SELECT run, node, rank, pid, loader, num_workers, ts, dur, median(dur) OVER same_loader AS dur_p50, dur / median(dur) OVER same_loader AS relative
FROM loader
WHERE kind = 'init' AND dur IS NOT NULL
WINDOW same_loader AS (PARTITION BY run, loader)
QUALIFY dur_p50 > 0 AND dur >= $factor * dur_p50
ORDER BY run, ts, node, rank, pid, dur
