-- Do large collectives move data much more slowly than the links allow?
--
-- The value is a ratio of bus bandwidths (query `collective.bandwidth`, view `evidence_link`): that of the slowest process group over the
-- usual one of groups with the same operation, size and number of ranks. For a job on one machine it can also be the bus bandwidth of the
-- fastest group over the bandwidth of the links of the device, by its data sheet. The ratio that is smaller relative to its limit counts.
--
-- empty   there are no runs
--
-- param   group  double in 0..1 = 0.5  ratio to other process groups below which the finding is a warning
-- param   link   double in 0..1 = 0.2  ratio to the links of the device below which the finding is a warning
--
-- cause    a link that is slow, shared or not used: PCIe or the network instead of NVLink, a network card with errors, a ring across a slow machine
-- remedy   compare nccl-tests on the ranks of the group; check `nvidia-smi topo -m`, the log of NCCL_DEBUG=INFO, and the counters of the network card
-- limits   0.5 group, 0.2 link (our own)
-- evidence collective.bandwidth, rank.communication
--
-- needs   evidence_link, evidence_role, evidence_rank

SELECT
  run,
  CASE WHEN is_group THEN usual_ratio ELSE link_ratio END AS value,
  CASE WHEN is_group THEN $group ELSE $link END AS threshold,
  CASE WHEN usual_ratio < $group OR link_ratio < $link THEN 'warning' END AS severity,
  CAST(null AS bigint) AS steps,
  least(CASE WHEN is_group THEN usual_lost ELSE link_lost END, exposed) AS potential_saving,
  total * ranks AS saving_base,
  false AS gpu_busy,
  CASE
    WHEN is_group
      THEN operation || ' of ' || format_amount(bytes, 'bytes') || ' in process group ' || coalesce(process_group, 'without a name')
      || ' has a bus bandwidth of ' || format_amount(bus_bytes_per_s, 'bytes_per_s') || ', ' || round(100 * usual_ratio, 1) || ' % of the '
      || format_amount(usual_bytes_per_s, 'bytes_per_s') || ' in other groups (limit: ' || round(100 * $group, 1) || ' %)'
    ELSE 'the bus bandwidth of large collectives is at most ' || format_amount(fastest_bytes_per_s, 'bytes_per_s') || ', '
      || round(100 * link_ratio, 1) || ' % of the ' || format_amount(link_bytes_per_s, 'bytes_per_s')
      || ' of the links of the device (limit: ' || round(100 * $link, 1) || ' %)'
  END AS found,
  CASE
    WHEN is_group THEN 'no process group has less than ' || round(100 * usual_ratio, 1) || ' % of the usual bus bandwidth'
    ELSE 'large collectives reach ' || round(100 * link_ratio, 1) || ' % of the bandwidth of the links'
  END AS passed,
  CASE
    WHEN coalesce(world_size, known_ranks) = 1 THEN 'needs several ranks, and there is one'
    WHEN groups IS NULL OR is_group IS NULL
      THEN
        'needs three collectives of at least 1 MiB with their sizes, and another process group or known links to compare; '
        || 'record a trace with `torch.profiler`, ProfilerActivity.CPU and the activity of the device (CUDA, XPU, MTIA, HPU or NPU)'
  END AS missing
FROM (
  SELECT
    e.run,
    e.total,
    e.ranks,
    r.world_size,
    r.ranks AS known_ranks,
    r.exposed,
    l.* EXCLUDE (run),
    coalesce(
      usual_ratio / $group <= link_ratio / $link,
      CASE WHEN usual_ratio IS NOT NULL THEN true WHEN link_ratio IS NOT NULL THEN false END
    ) AS is_group
  FROM evidence_role AS e
  JOIN evidence_rank AS r ON r.run = e.run
  LEFT JOIN evidence_link AS l ON l.run = e.run
) AS e
