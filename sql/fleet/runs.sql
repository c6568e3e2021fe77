-- Which runs are there, and what are the key metrics of each?
--
-- One row per run, from table `run` alone. The query reads no rows of a profile, so it is fast even for thousands of runs. The key metrics
-- are those of `job.key_metrics` at the last ingest. `gpu_idle_ratio` and its parts are shares of the GPU-seconds. They are upper bounds of
-- the potential saving.
--
-- empty   there are no runs; ingest some, many at once with one `*` in the URL
--
-- param   attribute  text in attribute = null  attribute to show in column `attribute_value`, such as commit or model
--
-- column  run                           text    id     name of the run
-- column  started                       bigint  time   earliest time in its profile
-- column  framework                     text    name   framework that wrote the profile
-- column  verdict                       text    name   input-bound, compute-bound, communication-bound, host-bound, mixed or no_data; `job.verdict` looks closer
-- column  steps                         bigint  count  steps over all modes and recordings
-- column  step_p50                      double  ns     median step of the main mode
-- column  step_p95                      double  ns     95th percentile of that
-- column  loader_ratio                  double  ratio  share of loop time spent waiting for data; waits over waits and steps, mean over the processes
-- column  gpu_utilization               double  ratio  mean share of time in which the GPU was busy
-- column  ranks                         bigint  count  ranks; null when none is known
-- column  gpus                          bigint  count  devices that worked or were measured
-- column  recorded_s                    double  s      time that recordings cover
-- column  gpu_s                         double  s      GPU-seconds that the recordings cover
-- column  gpu_idle_ratio                double  ratio  share of the GPU-seconds without computing and copying
-- column  gpu_idle_loader_ratio         double  ratio  share of GPU-seconds idle while the process waited for data; an upper bound
-- column  gpu_idle_communication_ratio  double  ratio  share in communication alone
-- column  gpu_idle_other_ratio          double  ratio  share of all else
-- column  attribute_value               text    text   value of the attribute that was asked for
-- column  attributes                    text    json   tags, and what the profile says of the whole run
--
-- needs   run
-- order   started, run

SELECT
  run,
  started,
  framework,
  verdict,
  steps,
  step_p50,
  step_p95,
  loader_ratio,
  gpu_utilization,
  ranks,
  gpus,
  recorded_s,
  gpu_s,
  idle_s / nullif(gpu_s, 0) AS gpu_idle_ratio,
  idle_loader_s / nullif(gpu_s, 0) AS gpu_idle_loader_ratio,
  idle_communication_s / nullif(gpu_s, 0) AS gpu_idle_communication_ratio,
  idle_other_s / nullif(gpu_s, 0) AS gpu_idle_other_ratio,
  extract_arg(attributes, $attribute) AS attribute_value,
  attributes
FROM run
ORDER BY started, run
