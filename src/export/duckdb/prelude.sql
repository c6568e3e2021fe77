-- What tracelake's SQL has and DuckDB has not. `tl_` begins what only these macros use.

-- An integer as it is, text of digits only, a double or decimal without its fraction; null for everything else.
CREATE OR REPLACE MACRO tl_try_bigint(x) AS CASE
  WHEN typeof(x) IN ('BIGINT', 'INTEGER', 'HUGEINT') THEN try_cast(x AS BIGINT)
  WHEN typeof(x) LIKE 'DECIMAL%' THEN try_cast(regexp_extract(CAST(x AS VARCHAR), '^-?[0-9]+') AS BIGINT)
  WHEN typeof(x) = 'DOUBLE' THEN try_cast(trunc(try_cast(x AS DOUBLE)) AS BIGINT)
  WHEN regexp_full_match(CAST(x AS VARCHAR), '\s*[+-]?[0-9]+\s*') THEN try_cast(x AS BIGINT)
END;

CREATE OR REPLACE MACRO extract_arg(args, name) AS CASE
  WHEN json_valid(args) THEN json_extract_string(args, '$."' || name || '"')
END;

-- Between the n-th end and the start behind it there is a gap iff that start is later: both are sorted, each by itself.
CREATE OR REPLACE MACRO tl_gaps(starts, ends) AS
  list_filter(list_zip(starts[2:], ends[:-2]), lambda gap: gap[1] > gap[2]);

CREATE OR REPLACE MACRO tl_length(starts, ends) AS CAST(coalesce(
  ends[-1] - starts[1] - coalesce(list_sum(list_transform(tl_gaps(starts, ends), lambda gap: gap[1] - gap[2])), 0), 0
) AS BIGINT);

CREATE OR REPLACE MACRO union_length(ts, dur) AS tl_length(
  list(ts ORDER BY ts) FILTER (WHERE ts IS NOT NULL AND dur > 0),
  list(ts + dur ORDER BY ts + dur) FILTER (WHERE ts IS NOT NULL AND dur > 0)
);

CREATE OR REPLACE MACRO tl_intervals(starts, ends) AS CASE WHEN starts IS NULL THEN [] ELSE list_transform(
  list_zip(
    list_prepend(starts[1], list_transform(tl_gaps(starts, ends), lambda gap: gap[1])),
    list_append(list_transform(tl_gaps(starts, ends), lambda gap: gap[2]), ends[-1])
  ),
  lambda found: struct_pack(ts := found[1], dur := found[2] - found[1])
) END;

CREATE OR REPLACE MACRO union_intervals(ts, dur) AS tl_intervals(
  list(ts ORDER BY ts) FILTER (WHERE ts IS NOT NULL AND dur > 0),
  list(ts + dur ORDER BY ts + dur) FILTER (WHERE ts IS NOT NULL AND dur > 0)
);

CREATE OR REPLACE MACRO covered(intervals, windows) AS list_transform(
  windows,
  lambda w: CASE WHEN w.ts IS NOT NULL AND w.dur IS NOT NULL THEN CAST(coalesce(list_sum(list_transform(
    intervals, lambda i: greatest(least(i.ts + i.dur, w.ts + w.dur) - greatest(i.ts, w.ts), 0)
  )), 0) AS BIGINT) END
);

CREATE OR REPLACE MACRO tl_work(launches) AS CASE WHEN len(launches) > 0 THEN struct_pack(
  ops := CAST(list_sum(list_transform(launches, lambda l: l.ops)) AS BIGINT),
  first_ts := list_min(list_transform(launches, lambda l: l.first_ts)),
  last_ts := list_max(list_transform(launches, lambda l: l.last_ts))
) END;

CREATE OR REPLACE MACRO enclosed_work(launches, ranges) AS list_transform(ranges, lambda r: tl_work(list_filter(
  launches, lambda l: l.ts >= r.ts AND l.ts < r.ts + r.dur AND l.ts + l.dur <= r.ts + r.dur
)));

CREATE OR REPLACE MACRO tl_divergence(share, total) AS CASE WHEN share > 0 THEN share * ln(2 * share / total) ELSE 0 END;

CREATE OR REPLACE MACRO histogram_distance(a, b) AS sqrt(greatest(list_sum(list_transform(
  list_zip(a, b), lambda x: tl_divergence(x[1], x[1] + x[2]) + tl_divergence(x[2], x[1] + x[2])
)) / 2, 0));

CREATE OR REPLACE MACRO tl_length_up_to(found, priority) AS tl_length(
  list_sort(list_transform(list_filter(found, lambda x: x.p <= priority), lambda x: x.a)),
  list_sort(list_transform(list_filter(found, lambda x: x.p <= priority), lambda x: x.b))
);

CREATE OR REPLACE MACRO tl_lengths(found, last) AS
  list_transform(range(1, last + 1), lambda p: tl_length_up_to(found, p) - tl_length_up_to(found, p - 1));

CREATE OR REPLACE MACRO priority_lengths(ts, dur, priority) AS tl_lengths(
  list(struct_pack(a := ts, b := ts + dur, p := priority)) FILTER (WHERE ts IS NOT NULL AND dur > 0 AND priority IS NOT NULL),
  max(CASE WHEN ts IS NOT NULL THEN priority END)
);

-- Unlike in tracelake, the intervals are not united yet: `priority_covered` does that.
CREATE OR REPLACE MACRO priority_intervals(ts, dur, priority) AS
  list(struct_pack(a := ts, b := ts + dur, p := priority)) FILTER (WHERE ts IS NOT NULL AND dur > 0 AND priority IS NOT NULL);

CREATE OR REPLACE MACRO tl_inside(found, w) AS list_filter(list_transform(
  found, lambda x: struct_pack(a := greatest(x.a, w.ts), b := least(x.b, w.ts + w.dur), p := x.p)
), lambda x: x.b > x.a);

CREATE OR REPLACE MACRO priority_covered(intervals, windows) AS list_transform(
  windows,
  lambda w: CASE WHEN w.ts IS NOT NULL AND w.dur IS NOT NULL THEN tl_lengths(
    tl_inside(intervals, w), coalesce(list_max(list_transform(intervals, lambda x: x.p)), 0)
  ) END
);

CREATE OR REPLACE MACRO tl_verdict(
  steps, input, communication, host, compute, idle, busy, high, near, idle_above, busy_above, stalls, complete
) AS CASE
  WHEN steps < 2 THEN 'no_data'
  WHEN stalls[2] > high AND stalls[3] <= near * stalls[2] THEN 'mixed'
  WHEN input > high AND input >= stalls[3] THEN 'input-bound'
  WHEN communication > high AND communication >= stalls[3] THEN 'communication-bound'
  WHEN idle > idle_above AND host IS NOT NULL AND input + communication < idle / 2 THEN 'host-bound'
  WHEN stalls[3] <= high AND (coalesce(compute > busy_above, false) OR coalesce(busy > busy_above, false)) THEN 'compute-bound'
  WHEN complete THEN 'mixed'
  ELSE 'no_data'
END;

CREATE OR REPLACE MACRO tl_verdict_of(
  steps, input, communication, host, compute, idle, busy, high, near, idle_above, busy_above, complete
) AS tl_verdict(
  steps, input, communication, host, compute, idle, busy, high, near, idle_above, busy_above,
  list_sort([input, communication, coalesce(host, 0)]),
  complete
);

CREATE OR REPLACE MACRO bound_by(
  steps, input, communication, host, compute, idle, busy, high, near, idle_above, busy_above
) AS tl_verdict_of(
  steps,
  CASE WHEN busy > coalesce(busy_above, 'inf'::DOUBLE) THEN 0 ELSE coalesce(input, 0) END,
  coalesce(communication, 0),
  host,
  compute,
  idle,
  busy,
  coalesce(high, 'inf'::DOUBLE),
  coalesce(near, 'inf'::DOUBLE),
  coalesce(idle_above, 'inf'::DOUBLE),
  coalesce(busy_above, 'inf'::DOUBLE),
  input IS NOT NULL AND (compute IS NOT NULL OR busy IS NOT NULL)
);

CREATE OR REPLACE MACRO tl_fixed(value, digits) AS CASE
  WHEN digits = 0 THEN printf('%.0f', CAST(value AS DOUBLE))
  ELSE rtrim(rtrim(printf('%.' || digits || 'f', CAST(value AS DOUBLE)), '0'), '.')
END;

CREATE OR REPLACE MACRO tl_number(value) AS CASE WHEN value = 0 THEN '0' ELSE tl_fixed(value, CASE
  WHEN abs(value) >= 100 THEN 0
  WHEN abs(value) >= 10 THEN 1
  WHEN abs(value) >= 1 THEN 2
  WHEN abs(value) >= 0.1 THEN 3
  WHEN abs(value) >= 0.01 THEN 4
  WHEN abs(value) >= 0.001 THEN 5
  ELSE 6
END) END;

CREATE OR REPLACE MACRO tl_duration(ns) AS CASE
  WHEN ns >= 7200e9 THEN tl_number(ns / 3600e9) || ' h'
  WHEN ns >= 120e9 THEN tl_number(ns / 60e9) || ' min'
  WHEN ns >= 1e9 THEN tl_number(ns / 1e9) || ' s'
  WHEN ns >= 1e6 THEN tl_number(ns / 1e6) || ' ms'
  WHEN ns >= 1e3 THEN tl_number(ns / 1e3) || ' us'
  ELSE tl_number(ns) || ' ns'
END;

CREATE OR REPLACE MACRO is_collective(name) AS regexp_matches(
  name,
  '(?i)(^|[^a-z])(nccl|oneccl|hccl|msccl|nvshmem|hcom_)|multimem_|symmetric_memory|'
  || '(one|two)_?shot_?all_?reduce|cross_device_reduce|allreduce_fusion|userbuffers_|deep_ep::int(ra|er)node|'
  || '^(all-(reduce|gather)|reduce-scatter|(ragged-)?all-to-all|(async-)?collective-)'
);

-- Only durations in ns and factors: the queries format nothing else.
CREATE OR REPLACE MACRO format_amount(value, unit) AS CASE
  WHEN unit = 'ns' THEN CASE WHEN value < 0 THEN '-' ELSE '' END || tl_duration(abs(CAST(value AS DOUBLE)))
  WHEN unit = 'factor' THEN tl_number(CAST(value AS DOUBLE))
END;

-- The columns of views that are not defined yet.
CREATE OR REPLACE MACRO tl_unfinished() AS
  error('the script of views did not run to its end: run it again');
