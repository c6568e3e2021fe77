-- Which attributes does each run have?
--
-- One row per run and key of table `run_attribute`: tags of the user, and settings and versions from the profile. `value` is the value on
-- which all processes and files of the run agree, and null if they differ. `n` is the number of different values. A tag of the user
-- overrides the value of a profile. Table `run` has the short attributes as JSON in column `attributes`.
--
-- empty   no run has an attribute, neither from a profile nor from the user; `ingest(..., tags={"commit": "1a2b3c"})` sets tags
--
-- column  run    text    id     name of the run
-- column  key    text    name   name of the attribute
-- column  value  text    text   its value; null where there are several
-- column  n      bigint  count  different values
--
-- needs   run_attribute
-- order   run, key
-- source  kineto, nsys, recorder, sagemaker_framework

WITH attribute_value AS (
  -- Tags of the user have no file.
  SELECT run, key, value, object, bool_or(object < 0) OVER (PARTITION BY run, key) AS is_tagged
  FROM run_attribute
  WHERE key IS NOT NULL AND value IS NOT NULL
)

SELECT
  run,
  key,
  CASE WHEN min(value) = max(value) THEN min(value) END AS value,
  count(DISTINCT value) AS n
FROM attribute_value
WHERE NOT is_tagged OR object < 0
GROUP BY run, key
ORDER BY run, key
