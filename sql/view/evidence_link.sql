-- Do the collectives of one process group move data much more slowly than those of others, or than the links of the device can?
--
-- One row per run with large collectives: at least 1 MiB, found on several ranks, and at least three of a size in a process group. The bus
-- bandwidth of a group is that of its fastest collective (view `collective_transfer`), because waiting only makes it slower. The usual one
-- is the median over the groups with the same operation, size and number of ranks, or the fastest one of fewer than three groups. The row
-- shows the slowest group in relation to the usual one. For `link_ratio`, only kernels with at least 16 MiB count, and only if the trace
-- lists at least as many devices as the job has ranks, so that the job can be on one machine.
--
-- column  run                  text    id           name of the run
-- column  groups               bigint  count        process groups that are compared with another one
-- column  process_group        text    name         name of the process group; null where the profiler wrote none
-- column  operation            text    name         all_reduce, all_gather, ...
-- column  group_size           bigint  count        ranks of the group
-- column  bytes                bigint  bytes        size of the collectives
-- column  n                    bigint  count        such collectives, over all ranks
-- column  bus_bytes_per_s      double  bytes_per_s  bus bandwidth of the group
-- column  usual_bytes_per_s    double  bytes_per_s  bus bandwidth of the others
-- column  usual_ratio          double  ratio        `bus_bytes_per_s` over `usual_bytes_per_s`; null without another group
-- column  usual_lost           bigint  ns           time that the group would save at the usual bandwidth, over all ranks
-- column  link_bytes_per_s     double  bytes_per_s  bandwidth of the links of the device; null when unknown
-- column  fastest_bytes_per_s  double  bytes_per_s  bus bandwidth of the fastest group with at least 16 MiB
-- column  link_ratio           double  ratio        `fastest_bytes_per_s` over `link_bytes_per_s`
-- column  link_lost            bigint  ns           time that these would save at half the bandwidth of the links, over all ranks
--
-- cache   large
-- needs   collective_transfer, device_peak, device, evidence_rank
-- order   run

WITH grouped AS (
  SELECT
    run,
    category,
    operation,
    process_group,
    group_size,
    bytes,
    count(*) AS n,
    sum(time) AS time,
    max(bytes * 1000000000.0 / nullif(time, 0) * bus_factor) AS bus
  FROM collective_transfer
  WHERE bytes >= 1048576 AND bus_factor > 0 AND collective IS NOT NULL
  GROUP BY run, category, operation, process_group, group_size, bytes
  HAVING count(*) >= 3
),

compared AS (
  SELECT
    *,
    count(*) OVER alike AS alike,
    CASE WHEN count(*) OVER alike >= 3 THEN median(bus) OVER alike ELSE max(bus) OVER alike END AS usual
  FROM grouped
  WINDOW alike AS (PARTITION BY run, category, operation, group_size, bytes)
),

rated AS (
  SELECT
    *,
    count(*) FILTER (WHERE alike > 1) OVER (PARTITION BY run) AS groups,
    CASE WHEN alike > 1 THEN bus / usual END AS usual_ratio,
    CASE WHEN alike > 1 THEN time * greatest(1 - bus / usual, 0) END AS lost
  FROM compared
),

slowest AS (
  SELECT *
  FROM rated
  QUALIFY row_number() OVER (PARTITION BY run ORDER BY usual_ratio NULLS LAST, lost DESC, time DESC, operation, process_group, bytes) = 1
),

machine AS (
  SELECT d.run, min(d.devices) AS devices
  FROM (SELECT run, node, rank, object, count(*) AS devices FROM device WHERE kind <> 'cpu' GROUP BY run, node, rank, object) AS d
  GROUP BY d.run
),

linked AS (
  SELECT p.run, min(p.link_bytes_per_s) AS link
  FROM device_peak AS p
  JOIN machine AS m ON m.run = p.run
  JOIN evidence_rank AS r ON r.run = p.run
  WHERE coalesce(r.world_size, r.ranks) BETWEEN 2 AND m.devices
  GROUP BY p.run
),

large AS (
  SELECT g.run, max(g.bus) AS bus, max(l.link) AS link, sum(g.time * greatest(1 - 2 * g.bus / l.link, 0)) AS lost
  FROM grouped AS g
  JOIN linked AS l ON l.run = g.run
  WHERE g.bytes >= 16777216 AND g.category = 'kernel'
  GROUP BY g.run
)

SELECT
  s.run,
  s.groups,
  s.process_group,
  s.operation,
  s.group_size,
  s.bytes,
  s.n,
  s.bus AS bus_bytes_per_s,
  s.usual AS usual_bytes_per_s,
  s.usual_ratio,
  TRY_CAST(s.lost AS bigint) AS usual_lost,
  l.link AS link_bytes_per_s,
  l.bus AS fastest_bytes_per_s,
  l.bus / l.link AS link_ratio,
  TRY_CAST(l.lost AS bigint) AS link_lost
FROM slowest AS s
LEFT JOIN large AS l ON l.run = s.run
ORDER BY s.run
