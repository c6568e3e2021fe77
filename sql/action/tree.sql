-- Which actions of a PyTorch Lightning job ran within which, and where did the time go?
--
-- The rows of `action.summary` depth first, each action below the one around it, the longest first. Which encloses which is known from
-- Lightning's loops and not from the report (view `action_nested`). `parent_ratio` over the actions of one parent, with the share of its
-- `own_s`, adds up to 1.
--
-- empty   no report of Lightning was found: Trainer(profiler="simple") prints one, and SimpleProfiler(dirpath=..., filename=...) writes it to a file
--
-- column  run           text     id     run the report belongs to
-- column  node          text     id     machine
-- column  rank          bigint   id     global rank of the process; null when unknown
-- column  profiler      text     name   simple or advanced
-- column  object        bigint   id     file of the report
-- column  report        bigint   id     report within the file, from 0
-- column  path          text     id     sorts the actions of a report depth first
-- column  depth         bigint   count  how many actions are around it
-- column  action        text     name   name of the action
-- column  parent        text     name   action around it; null for one that stands by itself
-- column  calls         bigint   count  how often it was done; null from AdvancedProfiler
-- column  total_s       double   s      total duration
-- column  own_s         double   s      `total_s` without the actions directly within; null when unknown
-- column  parent_ratio  double   ratio  `total_s` over that of `parent`; null where that was cut short
-- column  truncated     boolean  flag   whether actions within cut it short, so that `total_s` is too small
--
-- needs   action_nested
-- order   run, node, rank, profiler, object, report, path
-- source  lightning_simple, lightning_advanced

SELECT
  n.run,
  n.node,
  n.rank,
  n.profiler,
  n.object,
  n.report,
  n.path,
  n.depth,
  n.action,
  n.parent,
  n.calls,
  n.total_s,
  n.own_s,
  CASE WHEN NOT p.truncated THEN n.total_s / nullif(p.total_s, 0) END AS parent_ratio,
  n.truncated
FROM action_nested AS n
LEFT JOIN action_nested AS p
  ON p.run = n.run AND p.object = n.object AND p.report = n.report AND p.action = n.parent
ORDER BY run, node, rank, profiler, object, report, path
