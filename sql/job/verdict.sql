-- What is each run bound by: its input, computing, communication, or the host that launches the work?
--
-- One row per run, from its shares of time (table `time_share`, defined by `job.time_shares`). The shares are means over the ranks. With the
-- kernels of a trace they add up to 1. A stall is a share in which the run could not continue: waiting for data, communication, or waiting
-- for the host. `verdict` of table `run` is the verdict of this query with the default limits.
--
-- The first rule that applies decides. If the GPU is busy for more than `busy`, waiting for data does not count as a stall. (1) Fewer
-- than two steps: `no_data`. (2) The two largest stalls are above `high` and within `near` of each other: `mixed`. (3) The largest stall
-- is above `high`, and is input or communication: `input-bound` or `communication-bound`. (4) The device idles for more than `idle`, and
-- input and communication explain less than half of that: `host-bound`. (5) No stall is above `high`, and the device works for more than
-- `busy`: `compute-bound`. (6) Input and device were both recorded: `mixed`, without a single bottleneck. (7) Otherwise `no_data`; the
-- sentence says what to record. In a training on CPUs, the work of the operators is that of the device, and there is no waiting for the
-- host.
--
-- A mean over the ranks hides one slow rank, because the others wait for it in their collectives. So the rules also judge the rank that
-- waits most for data or for its host. If that rank is input-bound or host-bound, and it communicates less than the mean, its verdict is
-- that of the run, and `worst_rank` names it.
--
-- empty   there are no runs
--
-- param   high  double in 0..1 = 0.2  share above which a stall counts (XProf)
-- param   near  double = 2.0          factor within which two stalls count as about the same (our own)
-- param   idle  double in 0..1 = 0.5  share of idle time above which the host can be the cause (PyTorch's tutorial)
-- param   busy  double in 0..1 = 0.8  share of device work above which a device is busy (PyTorch's tutorial)
--
-- column  run                  text    id     name of the run
-- column  verdict              text    name   input-bound, compute-bound, communication-bound, host-bound, mixed or no_data
-- column  sentence             text    text   the numbers that decided, and what they rest on
-- column  steps                bigint  count  steps, batches or samples that they rest on, of the rank with most; null when unknown
-- column  input_ratio          double  ratio  share of waiting for data; null when unknown
-- column  compute_ratio        double  ratio  share in which the device worked; null when unknown
-- column  communication_ratio  double  ratio  share in which only collectives ran; null when unknown
-- column  host_ratio           double  ratio  share in which the device waited for the host; null when unknown
-- column  worst_rank           bigint  id     rank that decided; null if the means over the ranks did
--
-- needs   run, run_attribute, time_share
-- order   run

WITH placed AS (
  SELECT
    *,
    count(rank) OVER (PARTITION BY run) AS ranks,
    row_number() OVER (
      PARTITION BY run ORDER BY coalesce(input_ratio, 0) + coalesce(host_ratio, 0) DESC, rank, node
    ) AS place
  FROM time_share
),

-- The means over the ranks, and the rank that waits most.
shared AS (
  SELECT
    run,
    CAST(NULL AS bigint) AS rank,
    max(measure) AS measure,
    min(device) AS device,
    max(steps) AS steps,
    max(ranks) AS ranks,
    avg(input_ratio) AS input,
    avg(compute_ratio) AS compute,
    avg(communication_ratio) AS communication,
    avg(host_ratio) AS host,
    avg(gpu_utilization) AS gpu_utilization
  FROM placed
  GROUP BY run
  UNION ALL
  SELECT
    run, rank, measure, device, steps, ranks, input_ratio, compute_ratio, communication_ratio, host_ratio, gpu_utilization
  FROM placed
  WHERE place = 1 AND ranks > 1
),

busied AS (
  SELECT *, coalesce(gpu_utilization, CASE WHEN device = 'kernels' THEN compute + communication END) AS busy
  FROM shared
),

judged AS (
  SELECT
    *,
    bound_by(
      steps,
      input,
      communication,
      host,
      compute,
      CASE device WHEN 'kernels' THEN 1 - compute - communication WHEN 'samples' THEN 1 - compute END,
      busy,
      $high,
      $near,
      $idle,
      $busy
    ) AS verdict,
    CASE WHEN busy > $busy THEN 0 ELSE input END AS stalled
  FROM busied
),

worded AS (
  SELECT
    *,
    concat_ws(
      ', ',
      round(100 * input, 1) || ' % waiting for data',
      CASE WHEN communication > 0 THEN round(100 * communication, 1) || ' % communication' END,
      round(100 * host, 1) || CASE device WHEN 'samples' THEN ' % idle for other reasons' ELSE ' % waiting for the host' END,
      round(100 * compute, 1) || CASE device WHEN 'cpu' THEN ' % operators on the CPU' ELSE ' % device work' END
    ) AS shares,
    concat_ws(
      ' and ',
      CASE device WHEN 'kernels' THEN 'kernels of a trace' WHEN 'samples' THEN 'GPU samples' WHEN 'cpu' THEN 'operators of a trace' END,
      CASE
        WHEN measure = 'exclusive' AND device = 'samples' THEN 'steps of a trace'
        WHEN measure = 'report' THEN 'a report of the epochs'
        WHEN measure IN ('rest', 'all') THEN 'timings recorded by the training loop'
      END,
      CASE WHEN device IS NULL AND (measure IS NULL AND communication > 0 OR measure = 'exclusive') THEN 'steps of a trace' END
    ) AS basis,
    greatest(stalled, communication, host) AS first,
    coalesce(stalled, 0) + coalesce(communication, 0) + coalesce(host, 0) - greatest(stalled, communication, host)
    - least(coalesce(stalled, 0), coalesce(communication, 0), coalesce(host, 0)) AS second
  FROM judged
),

decided AS (
  SELECT
    m.*,
    CASE
      WHEN w.verdict IN ('input-bound', 'host-bound') AND w.verdict <> m.verdict
        AND (w.communication < m.communication OR w.communication IS NULL)
        THEN w.rank
    END AS worst_rank,
    w.verdict AS worst_verdict,
    w.shares AS worst_shares
  FROM worded AS m
  LEFT JOIN worded AS w ON w.run = m.run AND w.rank IS NOT NULL
  WHERE m.rank IS NULL
)

SELECT
  r.run,
  CASE WHEN worst_rank IS NOT NULL THEN worst_verdict ELSE coalesce(verdict, 'no_data') END AS verdict,
  CASE
    WHEN verdict IS NULL THEN 'the shares of time were not computed: an older version wrote the run; `tracelake upgrade` computes them'
    WHEN worst_rank IS NOT NULL OR verdict <> 'no_data'
      THEN
        CASE
          WHEN worst_rank IS NOT NULL THEN 'rank ' || worst_rank || ' delays the others: ' || worst_shares || '; mean over ' || ranks || ' ranks: '
          WHEN verdict <> 'mixed' THEN ''
          WHEN second > $high AND first <= $near * second THEN 'several bottlenecks: '
          ELSE 'no single bottleneck: '
        END
        || shares || ', based on ' || basis || coalesce(' (' || steps || ' measurements)', '')
        || CASE WHEN ranks > 1 AND worst_rank IS NULL THEN '; means over ' || ranks || ' ranks' ELSE '' END
        || CASE WHEN device IS NULL THEN '; GPU activity is unknown' ELSE '' END
    ELSE
      CASE WHEN shares = '' THEN '' ELSE shares || '; ' END
      || CASE
        WHEN steps < 2 THEN 'needs at least 2 measurements'
        ELSE
          CASE
            WHEN input IS NOT NULL THEN 'needs samples of the GPU or its kernels'
            WHEN device IS NULL THEN 'needs timings of the loader or samples of the GPU'
            ELSE 'needs timings of the loader'
          END
          || CASE
            WHEN c.run IS NOT NULL THEN '; `tracelake record` did not record them' || CASE WHEN input IS NULL THEN '' ELSE '; take a trace with `torch.profiler`' END
            WHEN input IS NULL THEN '; record them with `tracelake record`'
            ELSE '; record them with `tracelake record`, or take a trace with `torch.profiler`'
          END
      END
  END AS sentence,
  steps,
  input AS input_ratio,
  compute AS compute_ratio,
  communication AS communication_ratio,
  host AS host_ratio,
  worst_rank
FROM (SELECT run FROM run) AS r
LEFT JOIN decided AS d ON d.run = r.run
-- A run of `tracelake record` is not advised to use it.
LEFT JOIN (SELECT DISTINCT run FROM run_attribute WHERE key = 'command' AND object IS NOT NULL) AS c ON c.run = r.run
ORDER BY r.run
