-- How different are the loads of every two GPUs, and over how many values?
--
-- One row per pair of GPUs (view `gpu_pair`). The finding decides how many values are enough for a distance.
--
-- column  run       text    id      name of the run
-- column  pair      text    name    the two, with their machines where these are known
-- column  readings  bigint  count   values that each of the two has at least
-- column  distance  double  factor  Jensen-Shannon distance of the two histograms
--
-- cache   large
-- needs   gpu_pair
-- order   run, pair

SELECT
  run,
  arrow_cast(device || coalesce(' of ' || node, '') || ' and ' || other_device || coalesce(' of ' || other_node, ''), 'Utf8') AS pair,
  least(n, other_n) AS readings,
  distance
FROM gpu_pair
ORDER BY run, pair
