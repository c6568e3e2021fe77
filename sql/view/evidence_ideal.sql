-- How much faster would each run be if its data took no time to load?
--
-- One row per run: the pair of a real and an ideal pass with the highest speedup (`loader.real_vs_ideal`). Both passes must be measured: an
-- estimate of the loop without its waits does not count. Columns are null if no pair is usable.
--
-- column  run          text     id      name of the run
-- column  speedup      double   factor  how many times as fast
-- column  saved_ratio  double   ratio   `saved` over `real`
-- column  saved        bigint   ns      `real` without `ideal`
-- column  batches      bigint   count   batches
-- column  why          text     text    why the result is null; else null
-- column  gpu_busy     boolean  flag    whether the GPU was busy (view `evidence_gpu`); null when unknown
--
-- cache   large
-- needs   run, loader_real_vs_ideal, evidence_gpu
-- order   run

WITH chosen AS (
  SELECT *
  FROM loader_real_vs_ideal
  WHERE measure = 'replay' OR speedup IS NULL
  QUALIFY row_number() OVER (
    PARTITION BY run
    ORDER BY speedup DESC NULLS LAST, why, node, rank, pid, loader, object, ideal_run, ideal_loader, ideal_object
  ) = 1
)

SELECT r.run, i.speedup, i.saved_ratio, i.saved, i.batches, i.why, g.gpu_busy
FROM run AS r
LEFT JOIN chosen AS i ON i.run = r.run
LEFT JOIN evidence_gpu AS g ON g.run = r.run
ORDER BY r.run
