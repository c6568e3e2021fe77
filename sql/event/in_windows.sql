-- What ran during given time windows, and for what share of them?
--
-- Window number i begins at `starts[i]` and ends before `ends[i]`. Overlapping windows count as one. One row per name of an event, with the
-- time in which at least one event of that name was running. `track_busy` is the same for the whole track of the event: its phase, thread
-- or stream. If an event reaches beyond a window, only the part inside counts. Ranks and machines are taken together. For example, compare
-- the windows of slow steps with those of the other steps. Without lists, the windows are the steps of the run.
--
-- `get_framework_metrics_by_begin_and_end_timesteps` of smdebug adds up the full durations of all events that touch a window.
--
-- empty   no event with a duration was running in these windows, which are in ns, like `ts`, or there are no steps
--
-- param   starts  bigint[] in time = null  starts of the windows in ns, like `ts`; null for the steps of the run
-- param   ends    bigint[] in time = null  ends of the windows in ns, like `ts`, one for each start
--
-- column  run          text    id     name of the run
-- column  category     text    name   what sort of work it is
-- column  track        text    name   row a viewer would draw it on: phase, thread or stream
-- column  name         text    name   name of the event
-- column  busy         bigint  ns     time in which at least one ran; within the windows
-- column  ratio        double  ratio  its share of the time in the windows
-- column  track_busy   bigint  ns     time in the windows in which anything ran on the track
-- column  track_ratio  double  ratio  its share of the time in the windows
--
-- needs   event_busy
-- order   run, category, track, name
-- source  sagemaker_framework, kineto, nsys

SELECT *
FROM event_busy($starts, $ends)
ORDER BY run, category, track, name
