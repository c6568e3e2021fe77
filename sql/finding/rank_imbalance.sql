-- Do the GPUs of a run carry different loads?
--
-- smdebug's rule LoadBalancing: the Jensen-Shannon distance of the histograms of the utilization of two GPUs with more than `patience` values each
-- lies above `limit`. Of all pairs it is the one with the greatest distance (view `evidence_pair`).
--
-- empty   there are no runs
--
-- param   limit     double = 0.2         distance above which the loads differ; 0 is equal, 0.83 never alike
-- param   patience  bigint >= 0 = 1000   values that each must have more than
--
-- cause    uneven work: data, model parts or a slow rank
-- remedy   see which GPU has less to do, and give it as much data as the others
-- limits   0.2 smdebug's rule LoadBalancing (its documentation: 0.5)
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
  'the loads of ' || p.pair || ' differ by ' || round(p.distance, 2) || ' (Jensen-Shannon distance, at most 0.83)' AS found,
  'fine: no two GPUs differ by more than ' || round(p.distance, 2) || ' (Jensen-Shannon distance)' AS passed,
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
