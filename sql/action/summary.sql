-- How long did each action of a PyTorch Lightning job take, with and without what ran within it?
--
-- One row per action of a report of SimpleProfiler or AdvancedProfiler, the longest first. Actions lie within each other, so that neither
-- `total_s` nor `percent` add up: `own_s` does, being without the actions directly within (`action.tree`). A report that a later one
-- continues, as that of a test does with the fit before it, is left out (view `action_latest`), so that nothing is counted twice.
--
-- Times are as printed, with five digits (SimpleProfiler) or three decimals. AdvancedProfiler cuts an action short where another begins in
-- it, which `truncated` says: compare no such time with others.
--
-- empty   no report of Lightning was found: Trainer(profiler="simple") prints one, and SimpleProfiler(dirpath=..., filename=...) writes it to a file
--
-- column  run        text     id       run the report belongs to
-- column  node       text     id       machine
-- column  rank       bigint   id       global rank of the process; null when unknown
-- column  profiler   text     name     simple or advanced
-- column  object     bigint   id       file of the report
-- column  report     bigint   id       report within the file, from 0
-- column  stage      text     name     stage of the report, which also holds those before it; null when unknown
-- column  action     text     name     name of the action
-- column  calls      bigint   count    how often it was done; null from AdvancedProfiler
-- column  mean_s     double   s        mean duration; null from AdvancedProfiler
-- column  total_s    double   s        total duration
-- column  percent    double   percent  share of the time since the profiler was made, as reported
-- column  own_s      double   s        `total_s` without the actions directly within; null when unknown
-- column  truncated  boolean  flag     whether actions within cut it short, so that `total_s` is too small
--
-- needs   action_nested
-- order   run, node, rank, profiler, object, report, total_s desc, action
-- source  lightning_simple, lightning_advanced

SELECT
  run,
  node,
  rank,
  profiler,
  object,
  report,
  stage,
  action,
  calls,
  mean_s,
  total_s,
  percent,
  own_s,
  truncated
FROM action_nested
ORDER BY run, node, rank, profiler, object, report, total_s DESC, action
