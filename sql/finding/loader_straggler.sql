-- Does one rank wait longer for its data than the other ranks?
--
-- The value is the mean wait for a batch on the rank that waits longest, minus the median over the ranks, divided by the mean time of a batch (view
-- `evidence_rank`).
--
-- empty   there are no runs
--
-- param   notice   double in 0..1 = 0.1  share of the time of a batch above which the finding is a notice
-- param   warning  double in 0..1 = 0.2  share of the time of a batch above which the finding is a warning
--
-- cause    the storage or the data of one rank
-- remedy   check that rank: its storage, its shard, the other processes of its machine
-- limits   0.1 notice (traceml); 0.2 warning (traceml)
-- evidence loader.share, loader.next, rank.imbalance
--
-- needs   evidence_rank, evidence_load

SELECT
  r.run,
  r.load_relative AS value,
  $notice AS threshold,
  CASE WHEN r.load_relative > $warning THEN 'warning' WHEN r.load_relative > $notice THEN 'notice' END AS severity,
  r.batches AS steps,
  r.load_extra AS potential_saving,
  l.total AS saving_base,
  l.gpu_busy,
  'rank ' || r.load_rank || ' waits ' || format_amount(r.load_most, 'ns') || ' for a batch, the median of ' || r.loading || ' ranks is '
  || format_amount(r.load_p50, 'ns') || '; the difference is ' || round(100 * r.load_relative, 1) || ' % of the time of a batch (limit: '
  || round(100 * $notice, 1) || ' %)' AS found,
  'rank ' || r.load_rank || ' waits longest for a batch; it waits longer than the median rank by ' || round(100 * r.load_relative, 1)
  || ' % of the time of a batch' AS passed,
  CASE
    WHEN coalesce(r.world_size, r.ranks) = 1 THEN 'needs several ranks, and there is one'
    WHEN r.load_relative IS NULL
      THEN 'needs timings of the loader on at least two ranks; record them with `tracelake record` or LoaderProfiler on each rank'
  END AS missing
FROM evidence_rank AS r
JOIN evidence_load AS l ON l.run = r.run
