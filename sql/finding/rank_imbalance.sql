-- Do the GPUs of a run have different loads?
--
-- This is smdebug's rule LoadBalancing: the Jensen-Shannon distance between the utilization histograms of two GPUs is above `limit`. Each GPU must
-- have more than `patience` values. The value is the maximum distance over all pairs (view `evidence_pair`).
--
-- empty   there are no runs
--
-- param   limit     double in 0..1 = 0.2  distance above which the loads differ; 0 means equal, 0.83 means no overlap
-- param   patience  bigint in 0.. = 1000  number of values of each GPU; more than this many are required
--
-- cause    uneven work: data, model parts or a slow rank
-- remedy   find the GPU with less work, and give it as much data as the others
-- limits   0.2 limit (smdebug's rule LoadBalancing; its documentation says 0.5); 1000 patience (smdebug's rule LoadBalancing)
-- evidence rules.load_balancing, utilization.gpu_balance
--
-- needs   evidence_machine, evidence_pair

SELECT
  m.run,
  p.distance AS value,
  $limit AS threshold,
  CASE WHEN p.distance > $limit THEN 'warning' END AS severity,
  m.pair_readings AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  CAST(NULL AS boolean) AS gpu_busy,
  'the loads of ' || p.pair || ' differ by ' || round(p.distance, 2) || ' (Jensen-Shannon distance; limit: ' || round($limit, 2)
  || ', maximum: 0.83)' AS found,
  'no two GPUs differ by more than ' || round(p.distance, 2) || ' (Jensen-Shannon distance)' AS passed,
  CASE
    WHEN m.gpus IS NULL THEN 'needs samples of several GPUs; record them with `tracelake record` on each machine'
    WHEN m.pairs IS NULL THEN 'needs samples of several GPUs, and there is one; with one GPU there is nothing to balance'
    WHEN p.distance IS NULL
      THEN
        'needs more than ' || $patience || ' samples of two GPUs, and there are ' || m.pair_readings || '; record for longer with `tracelake record`'
  END AS missing
FROM evidence_machine AS m
LEFT JOIN (
  SELECT *, row_number() OVER (PARTITION BY run ORDER BY distance DESC NULLS LAST, pair) AS place
  FROM evidence_pair
  WHERE readings > $patience
) AS p ON p.run = m.run AND p.place = 1
