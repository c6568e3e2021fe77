-- Which runs have device work that was recorded, but could not be read?
--
-- One row per run with a table of kernels, copies, fills or calls of CUDA that an export of Nsight Systems has in an unknown form. Queries
-- of steps, kernels, occupancy, idle time and utilization have no shares for these runs, because they would be of a part of the work. Table
-- `problem` has the reason.
--
-- column  run  text    id     name of the run
-- column  n    bigint  count  tables that could not be read
--
-- needs   problem
-- order   run

SELECT run, count(DISTINCT kind) AS n
FROM problem
WHERE kind LIKE 'not_read:CUPTI_ACTIVITY_KIND_%' AND severity = 'warning'
GROUP BY run
ORDER BY run
