-- What is each run bound by: its input, computing, communication, or the host that launches the work?
--
-- One row per run, over the evidence that the findings of `diagnosis` rest on. A stall is a share of the loop or of the steps in which the run could
-- not go on: `input` is the share of waiting for data by the best measure of the profiles (view `evidence_load`), of the rank that waits most;
-- `communication` the share in which only collectives ran (`step.breakdown`), of the rank with most; `host` the rest of the time in which the device
-- did nothing: by the kernels of a trace what calls, operators and nothing on record take of the steps, by samples of the GPU what idle
-- time neither of the others explains. `compute` is the share in which the device worked.
--
-- One stall above `high` that is the largest gives `input-bound` or `communication-bound`; two above it within `near` of each other give `mixed`. `host-bound`
-- are runs whose device idles for more than `idle` while input and communication explain less than half of that; `compute-bound` runs
-- without a stall above `high` whose device works for more than `busy`. A GPU that is busy for more than `busy` all the same waits for nothing.
-- Otherwise the run is `mixed` if both input and device were recorded: it has no single bottleneck. If one is missing or there are fewer than two
-- steps, the verdict is `no_data`, and the sentence says what to record.
--
-- empty   there are no runs
--
-- param   high   double = 0.2   share above which a stall counts (XProf)
-- param   near   double = 2.0   factor within which two stalls are about the same (our own)
-- param   idle   double = 0.5   share of idle time above which the host can be why (PyTorch's tutorial)
-- param   busy   double = 0.8   share of working above which a device is busy (PyTorch's tutorial)
--
-- column  run            text    id     run
-- column  verdict        text    name   input-bound, compute-bound, communication-bound, host-bound, mixed or no_data
-- column  sentence       text    text   the numbers that decided, and what they rest on
-- column  steps          bigint  count  steps, batches or samples that they rest on; null when unknown
-- column  input          double  ratio  share of waiting for data; null when unknown
-- column  compute        double  ratio  share in which the device worked; null when unknown
-- column  communication  double  ratio  share in which only collectives ran; null when unknown
-- column  host           double  ratio  share in which the device waited for the host; null when unknown
--
-- needs   evidence_load, evidence_gpu, evidence_role
-- order   run

WITH known AS (
  SELECT
    l.run,
    l.measure,
    coalesce(l.share, CASE WHEN e.device THEN e.loader END) AS input,
    CASE WHEN e.device THEN e.kernel + e.memcpy + e.memset ELSE g.busy END AS compute,
    e.communication_most AS communication,
    CASE
      WHEN e.device THEN e.host
      WHEN g.busy IS NOT NULL AND l.share IS NOT NULL
        THEN greatest(1 - g.busy - l.share - coalesce(e.communication_most, 0), 0)
    END AS host,
    CASE WHEN e.device THEN e.host + e.loader ELSE 1 - g.busy END AS idle,
    g.busy,
    CASE WHEN e.device THEN 'kernels' WHEN g.busy IS NOT NULL THEN 'samples' END AS device,
    CASE WHEN e.device THEN e.steps WHEN l.share IS NOT NULL THEN l.steps ELSE coalesce(e.steps, g.readings) END AS steps,
    l.why
  FROM evidence_load AS l
  JOIN evidence_gpu AS g ON g.run = l.run
  JOIN evidence_role AS e ON e.run = l.run
),

judged AS (
  SELECT
    *,
    bound_by(steps, input, communication, host, compute, idle, busy, $high, $near, $idle, $busy) AS verdict
  FROM known
),

worded AS (
  SELECT
    *,
    concat_ws(
      ', ',
      round(100 * input, 1) || ' % waiting for data',
      CASE WHEN communication > 0 THEN round(100 * communication, 1) || ' % communication' END,
      round(100 * host, 1) || ' % waiting for the host',
      round(100 * compute, 1) || ' % work of the device'
    ) AS shares,
    concat_ws(
      ' and ',
      CASE device WHEN 'kernels' THEN 'the kernels of a trace' WHEN 'samples' THEN 'samples of the GPU' END,
      CASE measure
        WHEN 'exclusive' THEN CASE WHEN device IS DISTINCT FROM 'kernels' THEN 'the steps of a trace' END
        WHEN 'report' THEN 'a report of the epochs'
        WHEN 'rest' THEN 'the loop''s own timings'
        WHEN 'all' THEN 'the loop''s own timings'
      END,
      CASE WHEN device IS NULL AND measure IS NULL AND communication > 0 THEN 'the steps of a trace' END
    ) AS basis
  FROM judged
)

SELECT
  run,
  verdict,
  CASE
    WHEN verdict <> 'no_data'
      THEN
        CASE verdict WHEN 'mixed' THEN 'no single bottleneck: ' ELSE '' END || shares || ', by ' || basis || coalesce(' (' || steps || ')', '')
        || CASE WHEN device IS NULL THEN '; what a GPU did meanwhile is unknown' ELSE '' END
    ELSE
      CASE WHEN shares = '' THEN '' ELSE shares || '; ' END
      || CASE
        WHEN steps < 2 THEN 'needs at least 2 steps'
        WHEN input IS NULL AND device IS NULL
          THEN 'needs timings of the loader' || coalesce(' (' || why || ')', '') || ' or samples of the GPU; record both with `tracelake record`'
        WHEN input IS NULL THEN 'needs timings of the loader; record them with `tracelake record`'
        ELSE 'needs samples of the GPU or its kernels; record them with `tracelake record` or `torch.profiler`'
      END
  END AS sentence,
  steps,
  input,
  compute,
  communication,
  host
FROM worded
ORDER BY run
