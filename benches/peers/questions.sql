-- The questions for every engine with SQL. The first form is for tracelake, and for DuckDB over the Parquet files. The second
-- form is for Perfetto, and for DuckDB over the JSON. The first three names are those of Kineto's benchmarks for Perfetto.

-- group_kernels
SELECT name, sum(dur) AS dur_sum, count(*) AS n
FROM event
WHERE category = 'kernel'
GROUP BY name
ORDER BY n DESC, name
-- perfetto
SELECT name, sum(dur) AS dur_sum, count(*) AS n
FROM slice
WHERE category IN ('kernel', 'Kernel')
GROUP BY name
ORDER BY n DESC, name

-- select_kernels
SELECT ts, dur, name
FROM event
WHERE category = 'kernel'
ORDER BY ts, dur, name
LIMIT 30
-- perfetto
SELECT ts, dur, name
FROM slice
WHERE category IN ('kernel', 'Kernel')
ORDER BY ts, dur, name
LIMIT 30

-- search_gemm_kernels
SELECT DISTINCT name
FROM event
WHERE name LIKE '%gemm%'
ORDER BY name
-- perfetto
SELECT DISTINCT name
FROM slice
WHERE name LIKE '%gemm%'
ORDER BY name

-- group_operators
SELECT name, sum(dur) AS dur_sum, count(*) AS n
FROM event
WHERE category = 'operator'
GROUP BY name
ORDER BY n DESC, name
-- perfetto
SELECT name, sum(dur) AS dur_sum, count(*) AS n
FROM slice
WHERE category = 'cpu_op'
GROUP BY name
ORDER BY n DESC, name

-- group_events
SELECT name, sum(dur) AS dur_sum, count(*) AS n
FROM event
GROUP BY name
ORDER BY n DESC, name
-- perfetto
SELECT name, sum(dur) AS dur_sum, count(*) AS n
FROM slice
GROUP BY name
ORDER BY n DESC, name
