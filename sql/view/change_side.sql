-- Which runs stand on which side of a comparison?
--
-- Side `a` is what was, side `b` what is. `run` names side b: the run itself, or the names of all its runs. Without `b` each
-- run is a side b of its own; without `a` it is compared with itself, in which recordings alone can differ.
--
-- param   a     text[] = null  runs of side a; null for those of side b
-- param   b     text[] = null  runs of side b, taken together; null for each run by itself
--
-- column  run     text  id    what is compared: the run, or the names of all runs of side b
-- column  side    text  name  a or b
-- column  source  text  id    run that belongs to the side
--
-- needs   run
-- order   run, side, source
-- source  sagemaker_system, sagemaker_framework, kineto, nsys

WITH tested AS (
  SELECT CASE WHEN $b IS NULL THEN run ELSE array_to_string($b, ', ') END AS run, run AS source
  FROM run
  WHERE $b IS NULL OR array_has($b, run)
)

SELECT t.run, s.side, t.source
FROM tested AS t
CROSS JOIN (VALUES ('a'), ('b')) AS s (side)
WHERE s.side = 'b' OR $a IS NULL
UNION ALL
SELECT t.run, 'a' AS side, r.run AS source
FROM (SELECT DISTINCT run FROM tested) AS t
CROSS JOIN run AS r
WHERE $a IS NOT NULL AND array_has($a, r.run)
ORDER BY run, side, source
