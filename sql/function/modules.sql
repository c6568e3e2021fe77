-- How much time did each module of the model take, on the host and on the device?
--
-- One row per chain of modules on a process rank, from traces that record modules (`with_modules=True` and `with_stack=True` of the PyTorch
-- profiler). `path_id` identifies the chain of names and is the same in every run. `host_self` excludes the calls inside: other modules,
-- operators and calls into the runtime. `device_self` is the device work launched inside this module and no other. `device_total` also has
-- the device work of the modules inside. Both add up durations, so parallel device work counts more than once.
--
-- The backward pass runs on another thread, which no module encloses. Its time is in `operator.call_tree`.
--
-- empty   there are no modules; record the trace with with_stack=True and with_modules=True
--
-- column  run           text    id     name of the run
-- column  node          text    id     machine
-- column  rank          bigint  id     global rank of the process; null when unknown
-- column  path_id       bigint  id     identifies the path of names from the outermost to this one, in any run
-- column  parent_id     bigint  id     `path_id` of the enclosing row; null for the outermost
-- column  depth         bigint  count  rows that enclose it
-- column  module        text    name   class and number of the module
-- column  n             bigint  count  calls
-- column  host_total    bigint  ns     time in its calls, thread by thread
-- column  host_self     bigint  ns     time in it and in nothing inside
-- column  device_total  bigint  ns     device work launched in it and everything inside
-- column  device_self   bigint  ns     device work that it launched itself, not in rows inside
--
-- needs   call_path, call_time
-- order   run, node, rank, depth, module, path_id
-- source  kineto

-- The work of the launches inside each path of Python functions.
WITH worked AS (
  SELECT run, object, python_path AS row, sum(work) AS work
  FROM call_time
  WHERE category IN ('runtime', 'driver')
  GROUP BY run, object, python_path
),

-- The rows of paths count depth first: a path encloses the `paths_inside` rows that follow it. Functions have no name
-- here, so that their work belongs to the module around them.
framed AS (
  SELECT
    p.run,
    p.node,
    p.rank,
    p.object,
    p.row,
    p.category,
    replace(p.name, 'nn.Module: ', '') AS module,
    call_frame(
      CASE WHEN p.category = 'module' THEN replace(p.name, 'nn.Module: ', '') END,
      p.row,
      p.paths_inside + 1,
      coalesce(w.work, 0)
    ) OVER (PARTITION BY p.run, p.object ORDER BY p.row) AS frame
  FROM call_path AS p
  LEFT JOIN worked AS w ON w.run = p.run AND w.object = p.object AND w.row = p.row
  WHERE p.category IN ('python', 'module')
),

-- What the outermost operators and launches, and modules, take from the module around them.
inside AS (
  SELECT t.run, t.object, t.python_path AS row, t.covered_sum AS dur
  FROM call_time AS t
  LEFT JOIN call_path AS p ON p.run = t.run AND p.object = t.object AND p.row = t.call_path
  LEFT JOIN call_path AS a ON a.run = t.run AND a.object = t.object AND a.row = p.parent_row
  WHERE
    (t.category = 'operator' AND a.operator IS NULL)
    OR (t.category IN ('runtime', 'driver') AND p.operator IS NULL)
  UNION ALL
  SELECT t.run, t.object, p.parent_row AS row, t.covered_sum AS dur
  FROM call_time AS t
  JOIN call_path AS p ON p.run = t.run AND p.object = t.object AND p.row = t.call_path
  WHERE t.category = 'module'
),

shares AS (
  SELECT f.run, f.node, f.rank, CASE WHEN f.category = 'module' THEN f.frame['path'] ELSE f.frame['parent'] END AS path_id, i.dur
  FROM inside AS i
  JOIN framed AS f ON f.run = i.run AND f.object = i.object AND f.row = i.row
),

summed_inside AS (
  SELECT run, node, rank, path_id, sum(dur) AS dur
  FROM shares
  GROUP BY run, node, rank, path_id
),

called AS (
  SELECT run, object, call_path AS row, sum(n) AS n, sum(dur_sum) AS dur
  FROM call_time
  WHERE category = 'module'
  GROUP BY run, object, call_path
),

summed AS (
  SELECT
    f.run,
    f.node,
    f.rank,
    f.frame['path'] AS path_id,
    min(f.frame['parent']) AS parent_id,
    min(f.frame['depth']) AS depth,
    min(f.module) AS module,
    sum(c.n) AS n,
    sum(c.dur) AS host_total,
    sum(f.frame['total_work']) AS device_total,
    sum(f.frame['self_work']) AS device_self
  FROM framed AS f
  JOIN called AS c ON c.run = f.run AND c.object = f.object AND c.row = f.row
  WHERE f.category = 'module'
  GROUP BY f.run, f.node, f.rank, f.frame['path']
)

SELECT
  s.*,
  s.host_total - coalesce(i.dur, 0) AS host_self
FROM summed AS s
LEFT JOIN summed_inside AS i
  ON i.run = s.run AND i.path_id = s.path_id AND (i.node IS NOT DISTINCT FROM s.node) AND (i.rank IS NOT DISTINCT FROM s.rank)
ORDER BY run, node, rank, depth, module, path_id
