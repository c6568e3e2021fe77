-- Which runs are on which side of a comparison?
--
-- Side `a` is the baseline and side `b` is the candidate. `run` names side b: the run itself, or the names of all its runs. Without `b`,
-- each run is the side b of its own comparison. Without `a`, side b is compared with itself: the two sides can then differ only in their
-- recordings.
--
-- param   a  text[] in run = null  runs of side a (baseline); null for the runs of side b
-- param   b  text[] in run = null  runs of side b (candidate), compared as one group; null for each run by itself
--
-- column  run         text  id    what is compared: the run, or the names of all runs of side b
-- column  side        text  name  a or b
-- column  source_run  text  id    run that belongs to the side
--
-- needs   run
-- order   run, side, source_run
-- source  sagemaker_system, sagemaker_framework, kineto, nsys

WITH tested AS (
  SELECT CASE WHEN $b IS NULL THEN run ELSE array_to_string($b, ', ') END AS run, run AS source_run
  FROM run
  WHERE $b IS NULL OR array_has($b, run)
)

SELECT t.run, s.side, t.source_run
FROM tested AS t
CROSS JOIN (VALUES ('a'), ('b')) AS s (side)
WHERE s.side = 'b' OR $a IS NULL
UNION ALL
SELECT t.run, 'a' AS side, r.run AS source_run
FROM (SELECT DISTINCT run FROM tested) AS t
CROSS JOIN run AS r
WHERE $a IS NOT NULL AND array_has($a, r.run)
ORDER BY run, side, source_run
