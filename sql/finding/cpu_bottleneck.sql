-- Are GPUs idle because the processors cannot keep up?
--
-- smdebug's rule CPUBottleneck: in more than `limit` of the snapshots, of more than `patience`, a GPU is below 10 percent while a core is above 90
-- percent. Snapshots are those in which both were sampled (view `evidence_machine`); `rules.cpu_bottleneck` counts all.
--
-- empty   there are no runs
--
-- param   limit     double = 0.5         share of the snapshots above which it is a bottleneck
-- param   patience  bigint >= 0 = 1000   snapshots that there must be more than
--
-- cause    the host is too slow for the GPU: loading, preprocessing or Python keeps the cores busy
-- remedy   more workers, cheaper preprocessing or preprocessing on the GPU, a machine with more cores
-- limits   0.5 of more than 1000 snapshots, smdebug's rule CPUBottleneck
-- evidence rules.cpu_bottleneck, utilization.cpu_bottleneck
--
-- needs   evidence_machine

SELECT
  run,
  cpu_share AS value,
  $limit AS threshold,
  CASE WHEN cpu_share > $limit THEN 'critical' END AS severity,
  cpu_snapshots AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'in ' || round(100 * cpu_share, 1) || ' % of the snapshots a GPU idles while a core is busy' AS found,
  'fine: only in ' || round(100 * cpu_share, 1) || ' % of the snapshots a GPU idles while a core is busy' AS passed,
  CASE
    WHEN cpu_snapshots IS NULL THEN 'needs samples of a GPU and of cores together; record them with `tracelake record`'
    WHEN cpu_snapshots <= $patience
      THEN
        'needs more than ' || $patience || ' snapshots of a GPU and of cores, and there are ' || cpu_snapshots
        || '; record for longer with `tracelake record`'
  END AS missing
FROM evidence_machine
