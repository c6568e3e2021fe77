-- What is each run bound by: its input, computing, communication, or the host that launches the work?
--
-- One row per run, from the evidence that the findings of `diagnosis` use. A stall is a share of the loop or of the steps in which the run
-- could not continue. `input_ratio` is the share of waiting for data, by the best measure of the profiles (view `evidence_load`), for the
-- rank that waits most. `communication_ratio` is the share in which only collectives ran (`step.breakdown`), for the rank with the largest
-- share. `host_ratio` is the rest of the time in which the device did nothing. With the kernels of a trace, it is the share of the steps in
-- which only calls, operators or nothing recorded ran. With samples of the GPU, it is the idle time that input and communication do not
-- explain. `compute_ratio` is the share in which the device worked.
--
-- The first rule that applies decides. If the GPU is busy for more than `busy`, waiting for data does not count as a stall. (1) Fewer
-- than two steps: `no_data`. (2) The two largest stalls are above `high` and within `near` of each other: `mixed`. (3) The largest stall
-- is above `high`, and is input or communication: `input-bound` or `communication-bound`. (4) The device idles for more than `idle`, and
-- input and communication explain less than half of that: `host-bound`. (5) No stall is above `high`, and the device works for more than
-- `busy`: `compute-bound`. (6) Input and device were both recorded: `mixed`, without a single bottleneck. (7) Otherwise `no_data`; the
-- sentence says what to record.
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
-- column  steps                bigint  count  steps, batches or samples that they rest on; null when unknown
-- column  input_ratio          double  ratio  share of waiting for data; null when unknown
-- column  compute_ratio        double  ratio  share in which the device worked; null when unknown
-- column  communication_ratio  double  ratio  share in which only collectives ran; null when unknown
-- column  host_ratio           double  ratio  share in which the device waited for the host; null when unknown
--
-- needs   evidence_load, evidence_gpu, evidence_role
-- order   run

WITH run_shares AS (
  SELECT
    l.run,
    l.measure,
    coalesce(l.share, CASE WHEN e.has_device THEN e.exposed_loader_ratio END) AS input,
    CASE WHEN e.has_device THEN e.kernel_ratio + e.memcpy_ratio + e.memset_ratio ELSE g.gpu_utilization END AS compute,
    e.communication_most AS communication,
    CASE
      WHEN e.has_device THEN e.host_ratio
      WHEN g.gpu_utilization IS NOT NULL AND l.share IS NOT NULL
        THEN greatest(1 - g.gpu_utilization - l.share - coalesce(e.communication_most, 0), 0)
    END AS host,
    CASE WHEN e.has_device THEN e.host_ratio + e.exposed_loader_ratio ELSE 1 - g.gpu_utilization END AS idle,
    g.gpu_utilization,
    CASE WHEN e.has_device THEN 'kernels' WHEN g.gpu_utilization IS NOT NULL THEN 'samples' END AS device,
    e.ranks,
    CASE WHEN e.has_device THEN e.steps WHEN l.share IS NOT NULL THEN l.steps ELSE coalesce(e.steps, g.readings) END AS steps,
    l.why
  FROM evidence_load AS l
  JOIN evidence_gpu AS g ON g.run = l.run
  JOIN evidence_role AS e ON e.run = l.run
),

judged AS (
  SELECT
    *,
    bound_by(steps, input, communication, host, compute, idle, gpu_utilization, $high, $near, $idle, $busy) AS verdict,
    CASE WHEN gpu_utilization > $busy THEN 0 ELSE input END AS stalled
  FROM run_shares
),

worded AS (
  SELECT
    *,
    concat_ws(
      ', ',
      round(100 * input, 1) || ' % waiting for data',
      CASE WHEN communication > 0 THEN round(100 * communication, 1) || ' % communication' END,
      round(100 * host, 1) || CASE device WHEN 'samples' THEN ' % idle for other reasons' ELSE ' % waiting for the host' END,
      round(100 * compute, 1) || ' % device work'
    ) AS shares,
    concat_ws(
      ' and ',
      CASE device WHEN 'kernels' THEN 'kernels of a trace' WHEN 'samples' THEN 'GPU samples' END,
      CASE measure
        WHEN 'exclusive' THEN CASE WHEN device IS DISTINCT FROM 'kernels' THEN 'steps of a trace' END
        WHEN 'report' THEN 'a report of the epochs'
        WHEN 'rest' THEN 'timings recorded by the training loop'
        WHEN 'all' THEN 'timings recorded by the training loop'
      END,
      CASE WHEN device IS NULL AND measure IS NULL AND communication > 0 THEN 'steps of a trace' END
    ) AS basis,
    greatest(stalled, communication, host) AS first,
    coalesce(stalled, 0) + coalesce(communication, 0) + coalesce(host, 0) - greatest(stalled, communication, host)
    - least(coalesce(stalled, 0), coalesce(communication, 0), coalesce(host, 0)) AS second
  FROM judged
)

SELECT
  run,
  verdict,
  CASE
    WHEN verdict <> 'no_data'
      THEN
        CASE WHEN verdict <> 'mixed' THEN '' WHEN second > $high AND first <= $near * second THEN 'several bottlenecks: ' ELSE 'no single bottleneck: ' END
        || shares || ', based on ' || basis || coalesce(' (' || steps || ' measurements)', '')
        || CASE WHEN ranks > 1 AND device = 'kernels' THEN '; waiting for data and communication are those of the rank with the largest share, the rest is the mean over the ranks' ELSE '' END
        || CASE WHEN device IS NULL THEN '; GPU activity is unknown' ELSE '' END
    ELSE
      CASE WHEN shares = '' THEN '' ELSE shares || '; ' END
      || CASE
        WHEN steps < 2 THEN 'needs at least 2 measurements'
        WHEN input IS NULL AND device IS NULL
          THEN 'needs timings of the loader' || coalesce(' (' || why || ')', '') || ' or samples of the GPU; record both with `tracelake record`'
        WHEN input IS NULL THEN 'needs timings of the loader; record them with `tracelake record`'
        ELSE 'needs samples of the GPU or its kernels; record them with `tracelake record` or `torch.profiler`'
      END
  END AS sentence,
  steps,
  input AS input_ratio,
  compute AS compute_ratio,
  communication AS communication_ratio,
  host AS host_ratio
FROM worded
ORDER BY run
