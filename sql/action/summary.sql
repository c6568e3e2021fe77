-- How long did each action of a PyTorch Lightning job take, with and without the actions inside it?
--
-- One row per action of a report of SimpleProfiler or AdvancedProfiler, longest first. Actions are nested, so `total_s` and `percent` do
-- not add up. `own_s` excludes the actions directly inside and does add up (`action.tree`). If a later report continues an earlier one, the
-- earlier one is excluded (view `action_latest`), so that nothing is counted twice. For example, the report of a test continues that of the
-- fit before it.
--
-- Times are as printed: with five digits by SimpleProfiler, with three decimals by AdvancedProfiler. AdvancedProfiler stops the time of an
-- action when another action begins inside it. `truncated` marks such actions. Do not compare their times with other times.
--
-- empty   no report of Lightning was found; Trainer(profiler="simple") prints one, and SimpleProfiler(dirpath=..., filename=...) writes it to a file
--
-- column  run        text     id       name of the run
-- column  node       text     id       machine
-- column  rank       bigint   id       global rank of the process; null when unknown
-- column  profiler   text     name     profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
-- column  object     bigint   id       file of the row, see table object
-- column  report     bigint   id       report within the file, from 0
-- column  stage      text     name     stage of Lightning: fit, validate, test or predict; null when unknown
-- column  action     text     name     name of the action of Lightning
-- column  calls      bigint   count    calls; null from AdvancedProfiler
-- column  mean_s     double   s        mean duration; null from AdvancedProfiler
-- column  total_s    double   s        total duration
-- column  percent    double   percent  share of the time since the profiler was made, as reported
-- column  own_s      double   s        time in it alone; without the actions directly within; null when unknown
-- column  truncated  boolean  flag     whether actions within cut it short, so that `total_s` is too small
--
-- needs   action_nested
-- order   run, node, rank, profiler, object, report, total_s desc, action
-- source  lightning_simple, lightning_advanced

SELECT * EXCLUDE (parent_action, depth, sort_path, row)
FROM action_nested
ORDER BY run, node, rank, profiler, object, report, total_s DESC, action
