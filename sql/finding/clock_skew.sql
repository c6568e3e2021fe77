-- Are the clocks of the ranks apart?
--
-- The value is the largest difference between the clocks of two ranks, in ns (`rank.clock_offsets`). The finding holds if it is above `limit`
-- and above its uncertainty. Times of different ranks are then not comparable: timelines and the lateness of ranks are wrong. Durations are
-- right, because each is measured with one clock.
--
-- empty   there are no runs
--
-- param   limit  bigint in 0.. = 1000000  difference above which the clocks are apart, ns
--
-- cause    the clocks of the machines are not synchronized
-- remedy   run `tracelake align-clocks`, which shifts the times of the run; synchronize the machines with NTP or PTP
-- limits   1000000 ns (1 ms) limit (our own)
-- evidence rank.clock_offsets
--
-- needs   evidence_clock

SELECT
  run,
  skew AS value,
  $limit AS threshold,
  CASE WHEN skew > $limit AND skew > uncertainty THEN 'notice' END AS severity,
  collectives AS steps,
  CAST(NULL AS bigint) AS potential_saving,
  false AS gpu_busy,
  'the clock of rank ' || ahead_rank || ' is ' || format_amount(skew, 'ns') || ' ahead of that of rank ' || behind_rank
  || ' (uncertainty: ' || format_amount(uncertainty, 'ns') || '; limit: ' || format_amount($limit, 'ns')
  || '): do not compare the times of different ranks' AS found,
  'the clocks of the ranks differ by at most ' || format_amount(skew, 'ns') || ' (uncertainty: ' || format_amount(uncertainty, 'ns') || ')' AS passed,
  CASE
    WHEN ranks = 1 THEN 'needs several ranks, and there is one'
    WHEN uncertainty IS NULL
      THEN 'needs at least three collectives that two ranks recorded; record a trace on each rank and ingest the folder as one run'
  END AS missing
FROM evidence_clock
