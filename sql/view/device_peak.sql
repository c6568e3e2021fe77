-- How fast could the devices of a process compute, read memory and send to another device?
--
-- One row per process rank with a device in the table below. The rates are those of the vendors' data sheets, without sparsity, for
-- operations with sums of 32 bits: NVIDIA's data sheets of V100, T4, A100, A30, A40, A10, L4, L40S, H100, H200, GH200, B200 and its white
-- papers of the GeForce devices; AMD's data sheets of the Instinct devices, with half the rate of an MI250 because each of its two chips is
-- a device; Intel's of the Max 1550 and of Gaudi. `link_bytes_per_s` is the sum of the links from a device to others of its machine (NVLink,
-- Infinity Fabric) in one direction; without such links it is null. The first pattern that the name of the device matches counts.
--
-- Excluded: devices that match no pattern. If a process has several kinds of devices, the fastest one counts.
--
-- column  run                  text    id           name of the run
-- column  node                 text    id           machine
-- column  rank                 bigint  id           global rank of the process; null when unknown
-- column  name                 text    name         name of the device
-- column  float64_flops_per_s  double  per_s        operations per second
-- column  float32_flops_per_s  double  per_s        operations per second outside of tensor cores
-- column  tf32_flops_per_s     double  per_s        operations per second on tensor cores with inputs of float32
-- column  float16_flops_per_s  double  per_s        operations per second, float16 and bfloat16
-- column  float8_flops_per_s   double  per_s        operations per second
-- column  memory_bytes_per_s   double  bytes_per_s  bandwidth of its memory
-- column  link_bytes_per_s     double  bytes_per_s  bandwidth to other devices of the machine, in one direction
--
-- needs   device
-- order   run, node, rank
-- source  kineto, nsys

-- Tera-operations per second and gigabytes per second.
WITH sheet (place, pattern, float64, float32, tf32, float16, float8, memory, link) AS (
  VALUES
  (1, 'GB200', 40, 80, 1250, 2500, 5000, 8000, 900),
  (2, 'B200', 37, 75, 1125, 2250, 4500, 7700, 900),
  (3, 'GH200', 34, 67, 494.7, 989.4, 1978.9, 4000, 450),
  (4, 'H200 NVL', 30, 60, 417.5, 835.5, 1670.5, 4800, 450),
  (5, 'H200', 34, 67, 494.7, 989.4, 1978.9, 4800, 450),
  (6, 'H100 NVL', 30, 60, 417.5, 835.5, 1670.5, 3938, 300),
  (7, 'H100 PCIe', 25.6, 51.2, 378, 756, 1513, 2039, 300),
  (8, 'H100', 34, 67, 494.7, 989.4, 1978.9, 3352, 450),
  (9, 'H800', 1, 67, 494.7, 989.4, 1978.9, 3352, 200),
  (10, 'H20\b', 1, 44, 74, 148, 296, 4000, 450),
  (11, 'A100.*PCIE-80|A100 80GB PCIe', 9.7, 19.5, 156, 312, null, 1935, 300),
  (12, 'A100.*80GB', 9.7, 19.5, 156, 312, null, 2039, 300),
  (13, 'A100', 9.7, 19.5, 156, 312, null, 1555, 300),
  (14, 'A800', 9.7, 19.5, 156, 312, null, 2039, 200),
  (15, 'A30\b', 5.2, 10.3, 82, 165, null, 933, 100),
  (16, 'A40\b', null, 37.4, 74.8, 149.7, null, 696, 56.25),
  (17, 'A10G', null, 35, 35, 70, null, 600, null),
  (18, 'A10\b', null, 31.2, 62.5, 125, null, 600, null),
  (19, 'RTX A6000', null, 38.7, 77.4, 154.8, null, 768, 56.25),
  (20, 'L40S', null, 91.6, 183, 362, 733, 864, null),
  (21, 'L40\b', null, 90.5, 90.5, 181, 362, 864, null),
  (22, 'L4\b', null, 30.3, 60, 121, 242.5, 300, null),
  (23, 'V100S', 8.2, 16.4, null, 130, null, 1134, null),
  (24, 'V100.*PCIE', 7, 14, null, 112, null, 900, null),
  (25, 'V100', 7.8, 15.7, null, 125, null, 900, 150),
  (26, 'P100', 4.7, 9.3, null, 18.7, null, 732, null),
  (27, '\bT4\b', null, 8.1, null, 65, null, 320, null),
  (28, 'RTX 5090', null, 104.8, 104.8, 209.5, 419, 1792, null),
  (29, 'RTX 4090', null, 82.6, 82.6, 165.2, 330.3, 1008, null),
  (30, 'RTX 3090', null, 35.6, 35.6, 71, null, 936, 56.25),
  (31, 'RTX 2080 Ti', null, 13.4, null, 53.8, null, 616, 50),
  (32, 'MI355X', 78.6, 157.3, null, 2516.6, 5033.2, 8000, 537.6),
  (33, 'MI350X', 72.1, 144.2, null, 2309.6, 4614, 8000, 537.6),
  (34, 'MI325X', 81.7, 163.4, 653.7, 1307.4, 2614.9, 6000, 448),
  (35, 'MI300X', 81.7, 163.4, 653.7, 1307.4, 2614.9, 5300, 448),
  (36, 'MI250X', 23.95, 23.95, null, 191.5, null, 1638, 200),
  (37, 'MI250', 22.65, 22.65, null, 181.05, null, 1638, 200),
  (38, 'MI210', 22.6, 22.6, null, 181, null, 1638, 150),
  (39, 'MI100', 11.5, 23.1, null, 184.6, null, 1229, 138),
  (40, 'Max 1550', 52.4, 52.4, 419.4, 838.8, null, 3277, null),
  (41, 'HL-?325|Gaudi ?3', null, null, null, 1835, 1835, 3700, 600),
  (42, 'HL-?225|Gaudi ?2', null, null, null, 432, 865, 2450, 262.5)
),

matched AS (
  SELECT d.run, d.node, d.rank, d.name, s.*
  FROM (SELECT DISTINCT run, node, rank, name FROM device WHERE name IS NOT NULL) AS d
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
  CAST(float8 AS double) * 1e12 AS float8_flops_per_s,
  CAST(memory AS double) * 1e9 AS memory_bytes_per_s,
  CAST(link AS double) * 1e9 AS link_bytes_per_s
FROM matched
QUALIFY row_number() OVER (PARTITION BY run, node, rank ORDER BY float16 DESC NULLS LAST, name) = 1
ORDER BY run, node, rank
