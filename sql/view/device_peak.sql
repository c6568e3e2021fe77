-- How fast could the devices of a process compute, read memory and send to another device?
--
-- One row per process rank with a device in the table below. The rates are those of the vendors' data sheets, without sparsity and with
-- accumulation in 32 bits: NVIDIA's data sheets of its data center devices and white papers of the GeForce devices, AMD's of the Instinct
-- devices, Intel's of the Max 1550 and of Gaudi. Those of float64, and of float32 on AMD devices, are those of matrix units, which
-- libraries use. A chip of an MI250 and a stack of a Max 1550 are devices of their own, with half of the rates. `link_bytes_per_s` is the
-- sum of the links that are built in, from a device to others of its machine (NVLink, Infinity Fabric), in one direction. The first
-- pattern that the name of the device matches counts.
--
-- Excluded: devices that match no pattern; parts of a device (MIG); devices of laptops. If a process has several kinds of devices, the
-- fastest one counts.
--
-- column  run                   text    id           name of the run
-- column  node                  text    id           machine
-- column  rank                  bigint  id           global rank of the process; null when unknown
-- column  name                  text    name         name of the device
-- column  float64_flops_per_s   double  per_s        operations per second
-- column  float32_flops_per_s   double  per_s        operations per second outside of tensor cores
-- column  tf32_flops_per_s      double  per_s        operations per second on tensor cores with inputs of float32
-- column  float16_flops_per_s   double  per_s        operations per second
-- column  bfloat16_flops_per_s  double  per_s        operations per second
-- column  float8_flops_per_s    double  per_s        operations per second
-- column  memory_bytes_per_s    double  bytes_per_s  bandwidth of its memory
-- column  link_bytes_per_s      double  bytes_per_s  bandwidth to other devices of the machine, in one direction; null without built-in links
--
-- needs   device
-- order   run, node, rank
-- source  kineto, nsys

-- Tera-operations per second and gigabytes per second; devices before bfloat16 have no rate of it.
WITH sheet (place, pattern, float64, float32, tf32, float16, bfloat16, float8, memory, link) AS (
  VALUES
  (1, '\bGB200\b', 40, 80, 1250, 2500, 2500, 5000, 8000, 900),
  (2, '\bB200\b', 37, 75, 1125, 2250, 2250, 4500, 7700, 900),
  (3, '\bGH200\b', 67, 67, 494.7, 989.4, 989.4, 1978.9, 4000, 450),
  (4, 'H200 NVL', 60, 60, 417.5, 835.5, 835.5, 1670.5, 4800, null),
  (5, '\bH200\b', 67, 67, 494.7, 989.4, 989.4, 1978.9, 4800, 450),
  (6, 'H100 NVL', 60, 60, 417.5, 835.5, 835.5, 1670.5, 3938, null),
  (7, 'H100 PCIe', 51.2, 51.2, 378, 756, 756, 1513, 2039, null),
  (8, '\bH100\b', 67, 67, 494.7, 989.4, 989.4, 1978.9, 3352, 450),
  (9, '\bH800\b', 1, 67, 494.7, 989.4, 989.4, 1978.9, 3352, 200),
  (10, '\bH20\b', 1, 44, 74, 148, 148, 296, 4000, 450),
  (11, 'A100.*PCIE-80|A100 80GB PCIe', 19.5, 19.5, 156, 312, 312, null, 1935, null),
  (12, 'A100.*PCIE', 19.5, 19.5, 156, 312, 312, null, 1555, null),
  (13, '\bA100\b.*80GB', 19.5, 19.5, 156, 312, 312, null, 2039, 300),
  (14, '\bA100\b', 19.5, 19.5, 156, 312, 312, null, 1555, 300),
  (15, '\bA800\b', 19.5, 19.5, 156, 312, 312, null, 2039, 200),
  (16, '\bA30\b', 10.3, 10.3, 82, 165, 165, null, 933, null),
  (17, '\bA40\b', null, 37.4, 74.8, 149.7, 149.7, null, 696, null),
  (18, '\bA10G\b', null, 35, 35, 70, 70, null, 600, null),
  (19, '\bA10\b', null, 31.2, 62.5, 125, 125, null, 600, null),
  (20, 'RTX A6000', null, 38.7, 77.4, 154.8, 154.8, null, 768, null),
  (21, '\bL40S\b', null, 91.6, 183, 362, 362, 733, 864, null),
  (22, '\bL40\b', null, 90.5, 90.5, 181, 181, 362, 864, null),
  (23, '\bL4\b', null, 30.3, 60, 121, 121, 242.5, 300, null),
  (24, '\bV100S\b', 8.2, 16.4, null, 130, null, null, 1134, null),
  (25, '\bV100\b.*PCIE', 7, 14, null, 112, null, null, 900, null),
  (26, '\bV100\b', 7.8, 15.7, null, 125, null, null, 900, 150),
  (27, '\bP100\b.*PCIE', 4.7, 9.3, null, 18.7, null, null, 732, null),
  (28, '\bP100\b', 5.3, 10.6, null, 21.2, null, null, 732, 80),
  (29, '\bT4\b', null, 8.1, null, 65, null, null, 320, null),
  (30, 'RTX 5090$', null, 104.8, 104.8, 209.5, 209.5, 419, 1792, null),
  (31, 'RTX 4090$', null, 82.6, 82.6, 165.2, 165.2, 330.3, 1008, null),
  (32, 'RTX 3090$', null, 35.6, 35.6, 71, 71, null, 936, null),
  (33, 'RTX 2080 Ti$', null, 13.4, null, 53.8, null, null, 616, null),
  (34, '\bMI355X\b', 78.6, 157.3, null, 2516.6, 2516.6, 5033.2, 8000, 537.6),
  (35, '\bMI350X\b', 72.1, 144.2, null, 2309.6, 2309.6, 4614, 8000, 537.6),
  (36, '\bMI325X\b', 163.4, 163.4, 653.7, 1307.4, 1307.4, 2614.9, 6000, 448),
  (37, '\bMI300X\b', 163.4, 163.4, 653.7, 1307.4, 1307.4, 2614.9, 5300, 448),
  (38, '\bMI250X\b', 47.85, 47.85, null, 191.5, 191.5, null, 1638, 200),
  (39, '\bMI250\b', 45.25, 45.25, null, 181.05, 181.05, null, 1638, 200),
  (40, '\bMI210\b', 45.3, 45.3, null, 181, 181, null, 1638, null),
  (41, '\bMI100\b', 11.5, 46.1, null, 184.6, 92.3, null, 1229, null),
  (42, 'Max 1550', 26.2, 26.2, 209.7, 419.4, 419.4, null, 1638, null),
  (43, 'HL-?325|Gaudi ?3', null, null, null, 1835, 1835, 1835, 3700, 525),
  (44, 'HL-?225|Gaudi ?2', null, null, null, 432, 432, 865, 2450, 262.5)
),

matched AS (
  SELECT d.run, d.node, d.rank, d.name, s.*
  FROM (SELECT DISTINCT run, node, rank, name FROM device WHERE name IS NOT NULL AND NOT regexp_like(name, 'MIG|Laptop')) AS d
  JOIN sheet AS s ON regexp_like(d.name, s.pattern, 'i')
  QUALIFY row_number() OVER (PARTITION BY d.run, d.node, d.rank, d.name ORDER BY s.place) = 1
)

SELECT
  run,
  node,
  rank,
  name,
  CAST(float64 AS double) * 1e12 AS float64_flops_per_s,
  CAST(float32 AS double) * 1e12 AS float32_flops_per_s,
  CAST(tf32 AS double) * 1e12 AS tf32_flops_per_s,
  CAST(float16 AS double) * 1e12 AS float16_flops_per_s,
  CAST(bfloat16 AS double) * 1e12 AS bfloat16_flops_per_s,
  CAST(float8 AS double) * 1e12 AS float8_flops_per_s,
  CAST(memory AS double) * 1e9 AS memory_bytes_per_s,
  CAST(link AS double) * 1e9 AS link_bytes_per_s
FROM matched
QUALIFY row_number() OVER (PARTITION BY run, node, rank ORDER BY float16 DESC NULLS LAST, name) = 1
ORDER BY run, node, rank
