-- What is said about each run as a whole?
--
-- One row per run and key of table `run_attribute`: tags of the user, settings and versions that a profile names. `value` is
-- the one that all processes and files of the run agree on, and null where they differ; `n` says how many there are. What the
-- user says holds against what a profile says. Table `run` keeps the short ones as JSON in column `attributes`.
--
-- empty   neither a profile nor the user says anything about a run: `ingest(..., tags={"commit": "1a2b3c"})` does
--
-- column  run    text    id     run that it is said about
-- column  key    text    name   name of the attribute
-- column  value  text    text   its value; null where there are several
-- column  n      bigint  count  different values
--
-- needs   run_attribute
-- order   run, key
-- source  kineto, nsys, recorder, sagemaker_framework

WITH said AS (
  -- What the user says has no file.
  SELECT run, key, value, object, bool_or(object < 0) OVER (PARTITION BY run, key) AS is_tagged
  FROM run_attribute
  WHERE key IS NOT NULL AND value IS NOT NULL
)

SELECT
  run,
  key,
  CASE WHEN min(value) = max(value) THEN min(value) END AS value,
  count(DISTINCT value) AS n
FROM said
WHERE NOT is_tagged OR object < 0
GROUP BY run, key
ORDER BY run, key
