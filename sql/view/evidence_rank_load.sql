-- What share of its time did each rank wait for data, by the best measure that the profiles of its run allow?
--
-- One row per rank and loop with a known share, of one measure per run. `measure` is the origin of the share. In order of priority:
-- `exclusive` is waits that no other work hid, in the steps of a trace (`step.loader_share`). If a recording is a single step, `steps` is the
-- number of calls of the loader. `rest` is without the first batch of each
-- pass, and `all` includes it (both `loader.share`). `report` is the share of the training epochs in a report of a profiler of Lightning.
--
-- column  run        text    id     name of the run
-- column  node       text    id     machine
-- column  rank       bigint  id     global rank of the process; null when unknown
-- column  measure    text    name   exclusive, rest, all or report
-- column  share      double  ratio  share of waiting
-- column  share_all  double  ratio  the same of all batches, of `rest`; else null
-- column  steps      bigint  count  steps or batches that it is of
-- column  load       bigint  ns     time waited for batches
-- column  total      bigint  ns     time that the ratios of the row are a share of
--
-- cache   large
-- needs   object, loader, loader_share, step_loader_share
-- order   run, share, node, rank, total, load

WITH traced AS (
  SELECT l.run, l.node, l.rank, count(*) AS calls
  FROM loader AS l
  JOIN object AS o ON o.run = l.run AND o.object = l.object
  WHERE l.kind = 'next' AND o.format IN ('kineto', 'nsys')
  GROUP BY l.run, l.node, l.rank
),

measures AS (
  SELECT
    s.run,
    s.node,
    s.rank,
    'exclusive' AS measure,
    1 AS trust,
    s.exposed_loader_ratio AS share,
    CAST(NULL AS double) AS share_all,
    CASE WHEN s.steps > 1 THEN s.steps ELSE t.calls END AS steps,
    s.exposed_loader AS load,
    s.dur AS total
  FROM step_loader_share AS s
  JOIN traced AS t ON t.run = s.run AND (t.node IS NOT DISTINCT FROM s.node) AND (t.rank IS NOT DISTINCT FROM s.rank)
  WHERE s.exposed_loader_ratio IS NOT NULL
  UNION ALL
  SELECT
    run,
    node,
    rank,
    CASE WHEN measure = 'report' THEN 'report' WHEN loader_ratio_rest IS NOT NULL THEN 'rest' ELSE 'all' END AS measure,
    CASE WHEN measure = 'report' THEN 4 WHEN loader_ratio_rest IS NOT NULL THEN 2 ELSE 3 END AS trust,
    coalesce(loader_ratio_rest, loader_ratio) AS share,
    loader_ratio AS share_all,
    batches AS steps,
    load,
    total
  FROM loader_share
  WHERE loader_ratio IS NOT NULL
)

SELECT * EXCLUDE (trust)
FROM measures
QUALIFY trust = min(trust) OVER (PARTITION BY run)
ORDER BY run, share DESC, node, rank, total DESC, load DESC
