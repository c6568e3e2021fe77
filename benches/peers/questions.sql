-- The same questions to every engine with SQL, first as DuckDB over the Parquet files and tracelake read them, then as Perfetto
-- and DuckDB over the JSON do. The names of the first three are those of the benchmarks that Kineto keeps for Perfetto.

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
