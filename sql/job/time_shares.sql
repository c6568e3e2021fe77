-- What did each rank of a run spend its time on: waiting for data, communication, waiting for the host, or the device?
--
-- The rows of table `time_share`, computed again. One row per rank, and one without a rank for loops of unknown ranks. The shares of a
-- trace are those of `step.breakdown` over the complete steps of all recordings of the rank. If kernels, copies or fills were recorded,
-- only steps from the first one with such work to the last one count, and `device` is `kernels`: every moment counts once, so the four
-- shares add up to 1. `compute_ratio` is the share in which the device worked, `communication_ratio` that in which only collectives ran,
-- `input_ratio` that in which the process only waited for a batch, and `host_ratio` the rest.
--
-- `measure` is the origin of `input_ratio` (view `evidence_rank_load`): if the trace does not show the loader, it comes from another
-- profile of the run. Without kernels, `device` is `samples` if the utilization of GPUs was sampled while the run trained. `compute_ratio`
-- is then their mean, and `host_ratio` the idle time that waiting and communication do not explain. In a trace of a training on CPUs,
-- `device` is `cpu`: neither device work nor devices were recorded, and `compute_ratio` is the share in which operators ran. Else `device`
-- is null. It is null, too, if an export has tables of kernels, copies or calls that could not be read.
--
-- A run about which nothing is known has one row without shares.
--
-- empty   there are no runs
--
-- column  run                  text    id     name of the run
-- column  node                 text    id     machine
-- column  rank                 bigint  id     global rank of the process; null when unknown
-- column  measure              text    name   exclusive, rest, all or report; null when no waiting was recorded
-- column  device               text    name   kernels, samples or cpu; null when nothing is known of a device
-- column  steps                bigint  count  steps, batches or samples that the shares rest on; null when unknown
-- column  dur                  bigint  ns     time that the shares are of; null when unknown
-- column  input_ratio          double  ratio  share of waiting for data; null when unknown
-- column  compute_ratio        double  ratio  share in which the device worked; null when unknown
-- column  communication_ratio  double  ratio  share in which only collectives ran; null when unknown
-- column  host_ratio           double  ratio  share in which the device waited for the host; null when unknown
-- column  gpu_utilization      double  ratio  mean share of time in which the GPU was busy; null without samples
--
-- needs   run, device, unread_device, evidence_rank_time, evidence_rank_load, evidence_gpu_samples
-- order   run, node, rank

WITH equipped AS (
  SELECT DISTINCT run
  FROM device
  WHERE kind <> 'cpu'
),

parts AS (
  SELECT
    run,
    node,
    rank,
    has_device,
    steps AS traced_steps,
    dur,
    (kernel + memcpy + memset) / nullif(dur, 0) AS worked,
    communication / nullif(dur, 0) AS communicated,
    exposed_loader / nullif(dur, 0) AS exposed,
    host / nullif(dur, 0) AS hosted,
    operators / nullif(dur, 0) AS operated,
    CAST(NULL AS text) AS measure,
    CAST(NULL AS double) AS share,
    CAST(NULL AS bigint) AS batches,
    CAST(NULL AS bigint) AS total
  FROM evidence_rank_time
  UNION ALL
  -- Of several loops of a rank, the one that waits most.
  SELECT
    run, node, rank, NULL AS has_device, NULL AS traced_steps, NULL AS dur, NULL AS worked, NULL AS communicated,
    NULL AS exposed, NULL AS hosted, NULL AS operated, measure, share, steps AS batches, total
  FROM evidence_rank_load
  QUALIFY row_number() OVER (PARTITION BY run, node, rank ORDER BY share DESC, total DESC, load DESC, steps DESC) = 1
),

together AS (
  SELECT
    run,
    node,
    rank,
    bool_or(has_device) AS has_device,
    max(traced_steps) AS traced_steps,
    max(dur) AS dur,
    max(worked) AS worked,
    max(communicated) AS communicated,
    max(exposed) AS exposed,
    max(hosted) AS hosted,
    max(operated) AS operated,
    max(measure) AS measure,
    max(share) AS share,
    max(batches) AS batches,
    max(total) AS total,
    max(max(measure)) OVER (PARTITION BY run) AS any_measure
  FROM parts
  GROUP BY run, node, rank
),

-- A run with samples alone has one row.
based AS (
  SELECT
    r.run,
    t.* EXCLUDE (run),
    u.run IS NOT NULL AS is_unread,
    g.gpu_utilization,
    g.readings,
    CASE
      WHEN u.run IS NOT NULL THEN NULL
      WHEN t.has_device THEN 'kernels'
      WHEN g.gpu_utilization IS NOT NULL THEN 'samples'
      WHEN t.operated > 0 AND e.run IS NULL THEN 'cpu'
    END AS device,
    coalesce(
      t.share, CASE WHEN u.run IS NULL AND t.has_device AND coalesce(t.any_measure, 'exclusive') = 'exclusive' THEN t.exposed END
    ) AS input
  FROM (SELECT run FROM run) AS r
  LEFT JOIN together AS t ON t.run = r.run
  LEFT JOIN evidence_gpu_samples AS g ON g.run = r.run
  LEFT JOIN equipped AS e ON e.run = r.run
  LEFT JOIN unread_device AS u ON u.run = r.run
)

SELECT
  run,
  node,
  rank,
  measure,
  device,
  CASE
    WHEN has_device THEN coalesce(traced_steps, batches)
    WHEN share IS NOT NULL THEN batches
    ELSE coalesce(traced_steps, readings)
  END AS steps,
  TRY_CAST(round(coalesce(dur, total)) AS bigint) AS dur,
  input AS input_ratio,
  CASE device WHEN 'kernels' THEN worked WHEN 'samples' THEN gpu_utilization WHEN 'cpu' THEN operated END AS compute_ratio,
  CASE WHEN NOT is_unread THEN communicated END AS communication_ratio,
  CASE device
    WHEN 'kernels' THEN greatest(hosted + exposed - coalesce(input, exposed), 0)
    WHEN 'samples' THEN greatest(1 - gpu_utilization - input - coalesce(communicated, 0), 0)
  END AS host_ratio,
  gpu_utilization
FROM based
ORDER BY run, node, rank
