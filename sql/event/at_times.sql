-- What was running at given times?
--
-- One row per name of an event, with the number of times at which at least one event of that name was running. `track_n` counts the same
-- for the whole track of the event: its phase, thread or stream. Ranks and machines are taken together. To find the cause of a bottleneck,
-- compare a list of times inside it with a list of other times. Without a list, the query profiles the whole run at 100 evenly spread
-- times. An event runs from its start until just before its end. A time that is given twice counts once.
--
-- `get_framework_metrics_by_timesteps` of smdebug instead adds up the full durations of the events, once for each time, and excludes the
-- last time.
--
-- empty   no event with a duration was running at these times, which are in ns, like `ts`
--
-- param   times  bigint[] in time = null  times in ns, like `ts`; null for 100 times evenly spread over the run
--
-- column  run          text    id     name of the run
-- column  category     text    name   what sort of work it is
-- column  track        text    name   row a viewer would draw it on: phase, thread or stream
-- column  name         text    name   name of the event
-- column  n            bigint  count  times at which it ran
-- column  ratio        double  ratio  their share of all given times
-- column  track_n      bigint  count  times at which anything ran on the track
-- column  track_ratio  double  ratio  their share of all given times
--
-- needs   event_busy
-- order   run, category, track, name
-- source  sagemaker_framework, kineto, nsys

SELECT * EXCLUDE (busy, track_busy), busy AS n, track_busy AS track_n
FROM event_busy(null, null, true, $times)
ORDER BY run, category, track, name
