"""Reports and dumps of Lightning's profilers: each number compared with the oracle, `pstats` and each other."""

import cProfile
import io
import json
import pstats
from collections import defaultdict

import pytest

import tracelake as tl

DATA = "data/loader/lightning"
TEXTS = ("simple", "simple_ddp2", "advanced", "advanced_top10")

# key of a report in the oracle, and its aggregate of table `action`
SIMPLE = {
    "row_count": "count(*)",
    "sum_of_calls": "sum(calls)",
    "sum_of_percent": "sum(percent)",
    "max_relative_error_mean_x_calls": "max(abs(mean_s * calls - total_s) / total_s)",
}
NEXT = "sum(total_s) filter (where action = '[_TrainingEpochLoop].train_dataloader_next')"
EPOCH = "sum(total_s) filter (where action = 'run_training_epoch')"
BATCH = "sum(total_s) filter (where action = 'run_training_batch')"
DERIVED = {
    "train_load_share_of_epoch": f"{NEXT} / {EPOCH}",
    "train_load_over_load_plus_batch": f"{NEXT} / ({NEXT} + {BATCH})",
    "train_mean_load_s": NEXT.replace("total_s", "mean_s"),
    "epoch_rest_s": f"{EPOCH} - {NEXT} - {BATCH}",
}
HEADS = {
    "Action": "action",
    "Mean duration (s)": "mean_s",
    "Num calls": "calls",
    "Total time (s)": "total_s",
    "Percentage %": "percent",
}
# key of a dump in the oracle, and its aggregate of table `function`
DUMP = {
    "functions": "count(*)",
    "total_calls": "sum(calls)",
    "primitive_calls": "sum(primitive_calls)",
    "total_own_s": "sum(own_s)",
    "builtins": "count(*) filter (where file = '~')",
    "functions_after_strip_dirs": "count(distinct concat(regexp_replace(file, '.*/', ''), ':', line, '(', function))",
}
LARGEST = {"largest_cumulative": "cumulative_s", "largest_own": "own_s"}


@pytest.fixture(scope="module")
def oracle(shared):
    return json.loads((shared / "oracle" / "loader" / "expected.json").read_text())["lightning"]


@pytest.fixture(scope="module")
def s(shared, tmp_path_factory):
    """A lake with each folder of reports as a run."""
    with tl.open(tmp_path_factory.mktemp("lightning") / "lake", create=True) as session:
        for name in TEXTS:
            session.ingest(shared / DATA / name, run=name)
        yield session


def rows(session, query, **args):
    return list(session.sql(query, **args))


def function_label(function):
    return "{}:{}({})".format(*function)


def test_no_file_has_a_problem(s):
    assert rows(s, "select * from problem") == []
    actual = {row["format"]: row["n"] for row in rows(s, "select format, count(*) as n from object group by format")}
    assert actual == {"lightning_simple": 4, "lightning_advanced": 2, "cprofile": 43}
    assert {row["framework"] for row in rows(s, "select framework from run")} == {"pytorch"}


@pytest.mark.parametrize(
    "file",
    [
        "simple/fit-perf_logs.txt",
        "simple/test-perf_logs.txt",
        "simple_ddp2/fit-perf_logs-0.txt",
        "simple_ddp2/fit-perf_logs-1.txt",
    ],
)
def test_simple_reports_equal_the_oracle(s, oracle, file):
    (report,) = oracle["simple"][file]
    run, name = file.split("/")
    files = rows(s, "select object, url from object where run = $run", run=run)
    (file,) = [row["object"] for row in files if row["url"].endswith(f"/{name}")]
    where = "from action where run = $run and object = $file"
    actual = rows(s, f"select * {where} order by row", run=run, file=file)
    assert {row["report"] for row in actual} == {0}
    assert {row["stage"].upper() for row in actual} == {report["stage"]}
    assert {row["profiler"] for row in actual} == {"simple"}
    assert {row["rank"] for row in actual} == {int(name[-5]) if run == "simple_ddp2" else None}
    columns = [HEADS[head] for head in report["columns"]]
    names = {"num_calls": "calls"}
    assert [{column: row[column] for column in columns} for row in actual] == [
        {names.get(key, key): value for key, value in row.items()} for row in report["rows"]
    ]
    assert {(row["report_calls"], row["report_s"]) for row in actual} == {
        (report["total"]["num_calls"], report["total"]["total_s"])
    }
    sums = {**SIMPLE, **DERIVED}
    expressions = ", ".join(f"{expression} as {key}" for key, expression in sums.items())
    (summed,) = rows(s, f"select {expressions} {where}", run=run, file=file)
    expected = {**report, **report["derived"]}
    assert {key: summed[key] for key in sums} == pytest.approx({key: expected[key] for key in sums}, rel=1e-9)
    # the oracle's bands are in `loader.share`
    assert report.keys() == {*SIMPLE, "stage", "columns", "total", "rows", "derived"}
    assert report["derived"].keys() == {*DERIVED, "band_of_load_share_of_epoch"}


def test_load_shares_of_two_ranks_equal_the_oracle(s, oracle):
    query = f"select rank, {DERIVED['train_load_share_of_epoch']} as share from action where run = 'simple_ddp2'"
    actual = rows(s, f"{query} group by rank order by rank")
    assert [row["rank"] for row in actual] == [0, 1]
    assert [row["share"] for row in actual] == pytest.approx(oracle["ddp2_load_share_by_rank"], rel=1e-12)


def test_a_report_of_the_next_stage_repeats_the_earlier_rows(s):
    numbers = ("action", "calls", "mean_s", "total_s")
    actual = rows(s, "select stage, action, calls, mean_s, total_s from action where run = 'simple'")
    stages = {
        stage: {tuple(row[n] for n in numbers) for row in actual if row["stage"] == stage} for stage in ("fit", "test")
    }
    changed = {row[0] for row in stages["fit"] - stages["test"]}
    # actions of `test` have new numbers, all others are repeated
    assert (len(stages["fit"]), len(stages["test"])) == (43, 54)
    assert len(changed) < 10
    assert "run_training_epoch" not in changed


@pytest.mark.parametrize("run", ["advanced", "advanced_top10"])
def test_advanced_reports_equal_the_oracle(s, oracle, run):
    blocks = oracle["advanced_text"][f"{run}/fit-perf_logs.txt"]
    actions = rows(s, "select * from action where run = $run order by row", run=run)
    functions = defaultdict(list)
    for row in rows(s, "select * from function where run = $run and report = 0 order by row", run=run):
        functions[row["scope"]].append(row)
    assert len(actions) == len(blocks) == len(functions) == 43
    for action, block, listed in zip(actions, blocks, functions.values(), strict=True):
        assert json.loads(listed[0]["scope"]) == {"stage": "fit", "action": action["action"]}
        first = listed[0]
        built_in = first["file"] == "~"
        actual = {
            "action": action["action"],
            "rank": action["rank"],
            "calls": action["function_calls"],
            "primitive_calls": action["primitive_calls"],
            "seconds": action["total_s"],
            "reduced": None
            if action["reduced_from"] is None
            else [action["reduced_from"], action["reduced_to"], action["restriction"]],
            "row_count": len(listed),
            "first_row": {
                "ncalls": first["calls"],
                "primitive": first["primitive_calls"],
                "tottime": first["own_s"],
                "cumtime": first["cumulative_s"],
                "where": f"{{{first['function'][1:-1]}}}"
                if built_in
                else function_label((first["file"], first["line"], first["function"])),
            },
            "sum_ncalls": sum(row["calls"] for row in listed),
            "sum_primitive": sum(row["primitive_calls"] for row in listed),
            "sum_tottime_rounded": pytest.approx(sum(row["own_s"] for row in listed), abs=1e-9),
        }
        assert actual == block
    assert {(row["calls"], row["mean_s"], row["percent"], row["profiler"]) for row in actions} == {
        (None, None, None, "advanced")
    }
    assert (sum(map(len, functions.values())) == 1451) is (run == "advanced")


def test_dumps_equal_the_oracle(s, oracle):
    sums = ", ".join(f"{expression} as {key}" for key, expression in DUMP.items())
    where = "from function where run = 'advanced' and profiler = 'cprofile'"
    summed = {row["profile"]: row for row in rows(s, f"select profile, scope, {sums} {where} group by profile, scope")}
    functions = defaultdict(list)
    for row in rows(s, f"select * {where}"):
        functions[row["profile"]].append(row)
    pairs = defaultdict(list)
    for row in rows(s, "select profile, callee from call where run = 'advanced'"):
        pairs[row["profile"]].append(row["callee"])
    assert summed.keys() == oracle["prof"].keys()
    assert (sum(map(len, functions.values())), sum(map(len, pairs.values()))) == (1451, 1914)
    for name, dump in oracle["prof"].items():
        assert json.loads(summed[name]["scope"]) == {"stage": "fit", "action": dump["action"]}
        assert {key: summed[name][key] for key in DUMP} == pytest.approx({key: dump[key] for key in DUMP}, rel=1e-12)
        assert len(pairs[name]) == dump["call_pairs"]
        named = {function_label((row["file"], row["line"], row["function"])): row for row in functions[name]}
        assert len(named.keys() - set(pairs[name])) == dump["roots"]
        for key, column in LARGEST.items():
            row = named[function_label(dump[key]["function"])]
            assert {n: row[n] for n in ("calls", "own_s", "cumulative_s")} == {
                n: dump[key][n] for n in ("calls", "own_s", "cumulative_s")
            }
            assert row[column] == max(row[column] for row in functions[name])
        for getitem in dump["getitem"]:
            row = named[function_label(getitem["function"])]
            assert [row["calls"], row["own_s"], row["cumulative_s"]] == [
                getitem[n] for n in ("calls", "own_s", "cumulative_s")
            ]
            assert row["cumulative_s"] / row["calls"] == pytest.approx(getitem["mean_cumulative_s"], rel=1e-12)
        assert sum(row["function"] == "__getitem__" for row in functions[name]) == len(dump["getitem"])
        assert dump.keys() == {*DUMP, *LARGEST, "action", "call_pairs", "roots", "getitem"}


def test_dumps_equal_pstats(s, shared):
    for path in sorted((shared / DATA / "advanced").glob("*.prof")):
        stats = vars(pstats.Stats(str(path)))["stats"]
        actual = rows(s, "select * from function where run = 'advanced' and profile = $name", name=path.name)
        counts = ("primitive_calls", "calls", "own_s", "cumulative_s")
        ours = {(r["file"], r["line"], r["function"]): tuple(r[n] for n in counts) for r in actual}
        assert ours == {key: value[:4] for key, value in stats.items()}


def test_text_and_dumps_agree(s, oracle):
    actual = rows(
        s,
        """
        with named as (
          select scope, profiler, regexp_replace(file, '.*/', '') as file, line, function,
            calls, primitive_calls, own_s, cumulative_s
          from function where run = 'advanced'
        ), summed as (
          select scope, profiler, file, line, function, sum(calls) as calls, sum(primitive_calls) as primitive_calls,
            sum(own_s) as own_s, sum(cumulative_s) as cumulative_s
          from named group by all
        )
        select scope,
          count(*) filter (where t.calls is null or d.calls is null) as alone,
          count(*) filter (where t.calls <> d.calls or t.primitive_calls <> d.primitive_calls) as other_calls,
          max(abs(t.own_s - d.own_s)) as own_s,
          max(abs(t.cumulative_s - d.cumulative_s)) as cumulative_s
        from (select * from summed where profiler = 'lightning_advanced') as t
        full join (select * from summed where profiler = 'cprofile') as d using (scope, file, line, function)
        group by scope
        """,
    )
    agrees = oracle["text_agrees_with_prof"]
    assert len(actual) == agrees["actions_text"] == agrees["actions_prof"] == 43
    assert all(agrees[key] for key in ("same_actions", "calls_equal", "rows_equal_functions_after_strip_dirs"))
    assert {(row["alone"], row["other_calls"]) for row in actual} == {(0, 0)}
    # three decimals
    assert agrees["seconds_equal_to_3_decimals"]
    assert max(max(row["own_s"], row["cumulative_s"]) for row in actual) <= 0.0005 + 1e-12


def test_profiles_have_their_scope(s):
    actual = rows(s, "select * from function_profiles where run = 'advanced'")
    assert {row["profiler"] for row in actual} == {"cprofile", "lightning_advanced"}
    actions = {row["action"] for row in rows(s, "select action from action where run = 'advanced'")}
    for profiler in ("cprofile", "lightning_advanced"):
        profiler_rows = [row for row in actual if row["profiler"] == profiler]
        assert len(profiler_rows) == 43
        assert {row["action"] for row in profiler_rows} == actions
        assert {(row["stage"], row["job_phase"], row["start_mode"]) for row in profiler_rows} == {("fit", None, None)}
    assert {row["report"] for row in actual if row["profiler"] == "cprofile"} == {None}
    # rows without a job phase are in no result about phases, and reports have no callers
    assert len(s.function.by_phase(run="advanced").to_arrow()) == 0
    assert {row["profiler"] for row in list(s.function.callers(run="advanced"))} == {"cprofile"}


def printed_block(profile, *restrictions):
    """Returns a block as AdvancedProfiler prints it."""
    text = io.StringIO()
    pstats.Stats(profile, stream=text).strip_dirs().sort_stats("cumulative").print_stats(*restrictions)
    return text.getvalue()


def test_blocks_of_this_python_are_read(tmp_path):
    """Reads the text of `pstats` for any profile, with all kinds of restrictions."""
    profile = cProfile.Profile()
    profile.enable()
    sorted(json.loads(json.dumps({"a": list(range(50))}))["a"], key=lambda n: -n)
    profile.disable()
    profile.create_stats()
    stats = vars(pstats.Stats(profile).strip_dirs())["stats"]
    restrictions = [(), (3,), (0.5,), ("decode",), ("no such function",), (0.9, 2)]
    blocks = [f"Profile stats for: action {n}\n{printed_block(profile, *r)}" for n, r in enumerate(restrictions)]
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "fit-perf.txt").write_text("FIT Profiler Report\n" + "\n".join(blocks))
    with tl.open(tmp_path / "p", ephemeral=True) as session:
        actual = rows(session, "select * from function order by row")
        blocks_of_rows = [[row for row in actual if f"action {n}" in row["scope"]] for n in range(len(restrictions))]
        problems = rows(session, "select kind, message, count from problem")
        actions = rows(session, "select * from action order by row")
    assert problems == [{"kind": "unlisted", "message": "no function of action 4 is listed", "count": 1}]
    assert {(r["file"], r["line"], r["function"]): (r["primitive_calls"], r["calls"]) for r in blocks_of_rows[0]} == {
        key: value[:2] for key, value in stats.items()
    }
    lengths = [len(stats), 3, int(len(stats) * 0.5 + 0.5), sum("decode" in function_label(key) for key in stats), 0, 2]
    assert [len(rows) for rows in blocks_of_rows] == lengths
    assert [row["restriction"] for row in actions] == [None, "3", "0.5", "'decode'", None, "2"]
    assert [row["reduced_from"] for row in actions] == [None, *[len(stats)] * 3, None, len(stats)]
