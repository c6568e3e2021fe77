-- Which actions of a PyTorch Lightning job ran inside which others, and where did the time go?
--
-- The rows of `action.summary`, depth first: each action is below the action that encloses it, and the longest is first. The nesting is
-- known from Lightning's loops, not from the report (view `action_nested`). For each parent, the `parent_ratio` of its actions and the
-- share of its `own_s` add up to 1.
--
-- empty   no report of Lightning was found; Trainer(profiler="simple") prints one, and SimpleProfiler(dirpath=..., filename=...) writes it to a file
--
-- column  run            text     id     name of the run
-- column  node           text     id     machine
-- column  rank           bigint   id     global rank of the process; null when unknown
-- column  profiler       text     name   profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
-- column  object         bigint   id     file of the row, see table object
-- column  report         bigint   id     report within the file, from 0
-- column  sort_path      text     id     sorts the actions of a report depth first
-- column  depth          bigint   count  rows that enclose it
-- column  action         text     name   name of the action of Lightning
-- column  parent_action  text     name   action around it; null for one that stands by itself
-- column  calls          bigint   count  calls; null from AdvancedProfiler
-- column  total_s        double   s      total duration
-- column  own_s          double   s      time in it alone; without the actions directly within; null when unknown
-- column  parent_ratio   double   ratio  `total_s` over that of `parent_action`; null where that was cut short
-- column  truncated      boolean  flag   whether actions within cut it short, so that `total_s` is too small
--
-- needs   action_nested
-- order   run, node, rank, profiler, object, report, sort_path
-- source  lightning_simple, lightning_advanced

SELECT
  n.run,
  n.node,
  n.rank,
  n.profiler,
  n.object,
  n.report,
  n.sort_path,
  n.depth,
  n.action,
  n.parent_action,
  n.calls,
  n.total_s,
  n.own_s,
  CASE WHEN NOT p.truncated THEN n.total_s / nullif(p.total_s, 0) END AS parent_ratio,
  n.truncated
FROM action_nested AS n
LEFT JOIN action_nested AS p
  ON p.run = n.run AND p.object = n.object AND p.report = n.report AND p.action = n.parent_action
ORDER BY run, node, rank, profiler, object, report, sort_path
