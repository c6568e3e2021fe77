-- How did the time of kernels and copies change compared with another run, recording, rank or step?
--
-- One row per name, with counts and summed durations on both sides and their differences. The run of the row is one side, `base` is the
-- other: `kernel_diff('before') where run = 'after'`. Without `base`, a run is compared with itself:
-- `kernel_diff(base_span => 0, span => 1)` compares its second recording with its first. `base_step` and `step` do the same for steps,
-- `base_rank` and `rank` for ranks. If a parameter of the base is not given, the base uses the value of the other side. For example,
-- `kernel_diff('before', rank => 0, step => 7)` compares step 7 of rank 0 in both runs. Without a selection, all ranks, recordings and
-- steps are added up. Without any parameter, both sides are equal.
--
-- `change_kind` depends on the counts: added and deleted names are on one side only. Durations are added up, so parallel work counts more
-- than once. `steps` and `base_steps` are the numbers of steps that were added up, over all ranks, because the two sides may differ. A
-- kernel belongs to the step that launched it (view `event_step`). It belongs to no step if its launch is before the recording.
--
-- Counts, durations and categories are those of HTA's TraceDiff for the device. TraceDiff compares one step of one rank and counts
-- synchronization as work.
--
-- empty   one side has no kernels of a device; check `base`, `rank`, `span` and `step`, and record traces with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU)
--
-- param   base       text in run = null  run to compare with; null for the run itself
-- param   rank       bigint = null       only this rank; null for all
-- param   span       bigint = null       only this recording; null for all
-- param   step       bigint = null       only this step; null for all
-- param   base_rank  bigint = null       only this rank of the base; null for that of `rank`
-- param   base_span  bigint = null       only this recording of the base; null for that of `span`
-- param   base_step  bigint = null       only this step of the base; null for that of `step`
--
-- column  run           text    id      name of the run
-- column  base          text    id      run that it is compared with
-- column  type          text    name    computation, communication or memory (copies and fills)
-- column  name          text    name    name of the kernel or copy
-- column  change_kind   text    name    added, deleted, increased, decreased or unchanged, by the counts
-- column  base_n        bigint  count   how often it ran in the base
-- column  n             bigint  count   how often it ran
-- column  n_diff        bigint  count   `n` less `base_n`
-- column  base_dur_sum  bigint  ns      sum of the durations in the base
-- column  dur_sum       bigint  ns      sum of the durations
-- column  dur_diff      bigint  ns      `dur_sum` less `base_dur_sum`
-- column  dur_ratio     double  factor  `dur_sum` over `base_dur_sum`; null where the base has none
-- column  base_steps    bigint  count   steps that were added up in the base, each rank's; 0 without step marks
-- column  steps         bigint  count   steps that were added up, each rank's
--
-- needs   event_diff
-- order   run, dur_diff desc, type, name
-- source  kineto, nsys, sagemaker_framework

SELECT
  * EXCLUDE (category),
  CASE
    WHEN category <> 'kernel' THEN 'memory'
    WHEN is_collective(name) THEN 'communication'
    ELSE 'computation'
  END AS type
FROM event_diff($base, $rank, $span, $step, $base_rank, $base_span, $base_step, false, true)
ORDER BY run, dur_diff DESC, type, name
