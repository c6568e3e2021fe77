-- Which path does each run take through the decision tree of PyTorch's tutorial?
--
-- One row per run and line of the tree. It asks: Is GPU utilization low and, if so, is loading time high? Do workers time out? Does memory
-- grow? `holds` marks the questions that can be decided and the answers that follow, from the first question to the advice. `not` marks the
-- other answers. If something was not recorded, the question and the lines that depend on it are `unknown`, and `evaluation` says what to record.
--
-- The tree gives no numbers; they are from other tables of the tutorial. Utilization (view `evidence_gpu`) is low below `low` and good
-- above `high`. Between the two it is `unknown`, because the tutorial does not cover this range. Loading time (view `evidence_load`) is
-- high above a share of `load`. The advice is then to use more workers, even if no utilization was measured. The other two questions are
-- the findings `worker_timeout` and `host_memory_growth`, with their limits. With fewer than two measurements, a question is unknown.
--
-- empty   there are no runs
--
-- param   load  double in 0..1 = 0.3  share of time spent waiting for data above which loading time is high
-- param   low   double in 0..1 = 0.5  GPU utilization below which it is low
-- param   high  double in 0..1 = 0.8  GPU utilization above which it is good
--
-- column  run         text    id     name of the run
-- column  line        bigint  id     line of the tree, from 1
-- column  depth       bigint  count  rows that enclose it
-- column  text        text    text   the question, or an answer and what to do then
-- column  mark        text    name   holds, not or unknown
-- column  evaluation  text    text   what a question was answered by, or what is missing and how to record it; null of answers that ask nothing more
-- column  value       double  mixed  the quantity that a question was answered by; null of answers, and when unknown
-- column  threshold   double  mixed  the limit that the value was compared with; null of answers
-- column  drawn       text    text   the line as it is shown: `>` holds, `?` unknown, indented by depth
--
-- needs   run_attribute, evidence_gpu, evidence_load, finding_worker_timeout, finding_host_memory_growth
-- order   run, line

WITH measured AS (
  SELECT
    g.run,
    CASE WHEN g.readings < 2 THEN NULL ELSE g.gpu_utilization END AS gpu_utilization,
    CASE WHEN l.steps < 2 THEN NULL ELSE l.share END AS share,
    CASE WHEN g.readings < 2 THEN 'not enough data: needs at least 2 measurements (recorded: ' || g.readings || ')' END AS few_readings,
    CASE WHEN l.steps < 2 THEN 'not enough data: needs at least 2 measurements (recorded: ' || l.steps || ')' END AS few_steps,
    l.why,
    -- A run of `tracelake record` is not advised to use it.
    CASE WHEN c.run IS NULL THEN '; record them with `tracelake record`' ELSE '' END AS advice
  FROM evidence_gpu AS g
  JOIN evidence_load AS l ON l.run = g.run
  LEFT JOIN (SELECT DISTINCT run FROM run_attribute WHERE key = 'command' AND object IS NOT NULL) AS c ON c.run = g.run
),

-- From here to the marks, null means unknown.
answered AS (
  SELECT
    m.run,
    m.gpu_utilization,
    m.share,
    CASE WHEN m.gpu_utilization < $low THEN true WHEN m.gpu_utilization > $high THEN false END AS low,
    m.share > $load AS slow,
    CASE w.outcome WHEN 'found' THEN true WHEN 'passed' THEN false END AS timeouts,
    CASE h.outcome WHEN 'found' THEN true WHEN 'passed' THEN false END AS growing,
    CASE
      WHEN m.gpu_utilization BETWEEN $low AND $high
        THEN
          round(100 * m.gpu_utilization, 1) || ' %: the tree says nothing between ' || round(100 * $low, 1) || ' and ' || round(100 * $high, 1) || ' %'
      WHEN m.gpu_utilization IS NOT NULL THEN round(100 * m.gpu_utilization, 1) || ' %'
      ELSE
        coalesce(
          m.few_readings,
          'not enough data: needs a trace with the kernels of the GPU, or samples of it' || m.advice
        )
    END AS seen_busy,
    coalesce(
      round(100 * m.share, 1) || ' % of the time',
      m.few_steps,
      'not enough data: needs timings of the loader' || coalesce(' (' || m.why || ')', '') || m.advice
    ) AS seen_share,
    w.sentence AS seen_timeouts,
    w.value AS timed_out,
    w.threshold AS timeout_limit,
    h.sentence AS seen_growth,
    h.value AS growth,
    h.threshold AS growth_limit
  FROM measured AS m
  JOIN finding_worker_timeout AS w ON w.run = m.run
  JOIN finding_host_memory_growth AS h ON h.run = m.run
),

tree AS (
  SELECT column1 AS line, column2 AS depth, column3 AS text
  FROM (
    VALUES
    (1, 0, 'GPU utilization low?'),
    (2, 1, 'yes: is loading time high?'),
    (3, 2, 'yes: more workers; still slow: optimize the item function'),
    (4, 2, 'no: look at model and optimizer'),
    (5, 1, 'no: balanced'),
    (6, 0, 'workers timing out?'),
    (7, 1, 'yes: fewer workers; still: debug the item function with 0 workers'),
    (8, 1, 'no'),
    (9, 0, 'memory growing?'),
    (10, 1, 'yes: persistent_workers=False; still: a leak in the item function'),
    (11, 1, 'no')
  ) AS lines
),

marked AS (
  SELECT
    a.run,
    t.line,
    t.depth,
    t.text,
    CASE t.line
      WHEN 1 THEN CASE WHEN a.low IS NOT NULL THEN true END
      WHEN 2 THEN a.low AND CASE WHEN a.slow IS NOT NULL THEN true END
      -- without utilization, the second question is still decided
      WHEN 3 THEN coalesce(a.low, CASE WHEN a.gpu_utilization IS NULL THEN true END) AND a.slow
      WHEN 4 THEN a.low AND NOT a.slow
      WHEN 5 THEN NOT a.low
      WHEN 6 THEN CASE WHEN a.timeouts IS NOT NULL THEN true END
      WHEN 7 THEN a.timeouts
      WHEN 8 THEN NOT a.timeouts
      WHEN 9 THEN CASE WHEN a.growing IS NOT NULL THEN true END
      WHEN 10 THEN a.growing
      WHEN 11 THEN NOT a.growing
    END AS holds,
    CASE t.line WHEN 1 THEN a.seen_busy WHEN 2 THEN a.seen_share WHEN 6 THEN a.seen_timeouts WHEN 9 THEN a.seen_growth END AS evaluation,
    CASE t.line WHEN 1 THEN a.gpu_utilization WHEN 2 THEN a.share WHEN 6 THEN a.timed_out WHEN 9 THEN a.growth END AS value,
    CASE t.line WHEN 1 THEN $low WHEN 2 THEN $load WHEN 6 THEN a.timeout_limit WHEN 9 THEN a.growth_limit END AS threshold
  FROM answered AS a
  CROSS JOIN tree AS t
)

SELECT
  * EXCLUDE (holds),
  CASE WHEN holds THEN 'holds' WHEN NOT holds THEN 'not' ELSE 'unknown' END AS mark,
  CASE WHEN holds THEN '> ' WHEN NOT holds THEN '  ' ELSE '? ' END || repeat('   ', depth) || text || coalesce(' (' || evaluation || ')', '') AS drawn
FROM marked
ORDER BY run, line
