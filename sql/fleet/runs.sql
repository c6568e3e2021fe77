-- Which runs are there, and how did each do?
--
-- One row per run, from table `run` alone: no rows of a profile are read, so that thousands of runs answer at once. The key
-- figures are those of `job.key_figures` at the last ingest. `idle_ratio` and the parts of it are shares of the GPU-seconds, and
-- upper bounds of what can be gained.
--
-- empty   there are no runs: ingest some, many at once with one `*` in the address
--
-- param   attribute  text = null  attribute whose value stands in column `value`, such as commit or model
--
-- column  run                       text    id       name of the run
-- column  started                   bigint  time     earliest time in its profile
-- column  framework                 text    name     framework that wrote the profile
-- column  verdict                   text    name     what the key figures say the run was bound by; `job.verdict` looks closer
-- column  steps                     bigint  count    steps over all modes
-- column  step_p50                  double  ns       median step of the main mode
-- column  step_p95                  double  ns       95th percentile of that
-- column  loader_ratio              double  ratio    waiting for data over waiting and stepping
-- column  gpu_percent               double  percent  mean GPU utilization
-- column  ranks                     bigint  count    ranks seen; null when none is known
-- column  gpus                      bigint  count    devices that worked or were measured
-- column  recorded_s                double  s        time that recordings cover
-- column  gpu_s                     double  s        the same summed over the devices, in GPU-seconds
-- column  idle_ratio                double  ratio    share of the GPU-seconds without computing and copying
-- column  idle_loader_ratio         double  ratio    share in which the process waited for data; at most
-- column  idle_communication_ratio  double  ratio    share in communication alone
-- column  idle_other_ratio          double  ratio    share of all else
-- column  value                     text    text     value of the attribute that was asked for
-- column  attributes                text    json     tags, and what the profile says of the whole run
--
-- needs   run
-- order   started, run
-- source  kineto, nsys, sagemaker_framework, sagemaker_system

SELECT
  run,
  started,
  framework,
  verdict,
  steps,
  step_p50,
  step_p95,
  loader_ratio,
  gpu_percent,
  ranks,
  gpus,
  recorded_s,
  gpu_s,
  idle_s / nullif(gpu_s, 0) AS idle_ratio,
  idle_loader_s / nullif(gpu_s, 0) AS idle_loader_ratio,
  idle_communication_s / nullif(gpu_s, 0) AS idle_communication_ratio,
  idle_other_s / nullif(gpu_s, 0) AS idle_other_ratio,
  extract_arg(attributes, $attribute) AS value,
  attributes
FROM run
ORDER BY started, run
