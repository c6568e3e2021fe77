-- How much faster would each run be with data that costs nothing?
--
-- One row per run: the pair of a real and an ideal pass with the greatest speed-up (`loader.real_vs_ideal`), both of them
-- timed: what a loop would take without its waits is not one. Nulls where no pair is usable.
--
-- column  run          text     id      run
-- column  speedup      double   factor  real over ideal time
-- column  saved_ratio  double   ratio   share of the real time that is saved
-- column  saved        bigint   ns      real without ideal time
-- column  batches      bigint   count   batches of the real side
-- column  why          text     text    why there is no speed-up although waits were recorded; else null
-- column  gpu_busy     boolean  flag    whether the GPUs were busy (view `evidence_gpu`); null when unknown
--
-- cache   large
-- needs   run, loader_real_vs_ideal, evidence_gpu
-- order   run

WITH ranked AS (
  SELECT
    run,
    speedup,
    saved_ratio,
    saved,
    batches,
    why,
    row_number() OVER (
      PARTITION BY run
      ORDER BY speedup DESC NULLS LAST, why, node, rank, pid, loader, object, ideal_run, ideal_loader, ideal_object
    ) AS place
  FROM loader_real_vs_ideal
  WHERE measure = 'replay' OR speedup IS NULL
)

SELECT r.run, i.speedup, i.saved_ratio, i.saved, i.batches, i.why, g.gpu_busy
FROM run AS r
LEFT JOIN ranked AS i ON i.run = r.run AND i.place = 1
LEFT JOIN evidence_gpu AS g ON g.run = r.run
ORDER BY r.run
