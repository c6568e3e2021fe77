"""Python profiles: tables and queries compared with `pstats`, and pyinstrument trees with an own traversal."""

import itertools
import json
import marshal
import pstats
from collections import defaultdict
from decimal import Decimal

import pytest

import tracelake as tl

pytestmark = pytest.mark.slow

PROFILES = {"pt_small": "pytorch", "real_cprofile": "tensorflow"}


@pytest.fixture(scope="module", params=PROFILES)
def profile(request, shared):
    return shared / "data" / "sagemaker" / request.param


@pytest.fixture(scope="module")
def profile_session(profile):
    with tl.open(profile, ephemeral=True) as session:
        yield session


def rows(frame):
    return list(frame)


def function_label(function):
    return "{}:{}({})".format(*function)


def dumps(profile):
    """Returns the cProfile dumps below a profile."""
    return sorted(profile.rglob("python_stats"))


def sum_functions(paths):
    """Returns the functions of some dumps, added up by `pstats`."""
    stats = pstats.Stats()
    for path in paths:
        stats.add(str(path))
    return vars(stats)["stats"]


def edges(path):
    """Parses a dump's folder: mode, step, phase and us of start and end."""
    return [edge.split("-") for edge in path.parent.name.split("_")]


def by_key(actual, *more):
    """Returns the rows of a query by function, with calls and times."""
    counts = ("primitive_calls", "calls", "own_s", "cumulative_s")
    return {
        (*(row[name] for name in more), row["file"], row["line"], row["function"]): tuple(row[name] for name in counts)
        for row in actual
    }


def close(ours, theirs):
    assert ours.keys() == theirs.keys()
    for key, value in theirs.items():
        assert ours[key] == pytest.approx(value, rel=1e-9, abs=1e-12), key


def test_every_dump_is_read_exactly(profile_session, profile):
    functions, calls = rows(profile_session.table("function")), rows(profile_session.table("call"))
    for path in dumps(profile):
        stats = vars(pstats.Stats(str(path)))["stats"]
        name = str(path.relative_to(profile))
        ours = by_key(row for row in functions if row["profile"] == name)
        assert ours == {key: value[:4] for key, value in stats.items()}
        ours = {
            (row["caller"], row["callee"]): tuple(
                row[name] for name in ("calls", "primitive_calls", "own_s", "cumulative_s")
            )
            for row in calls
            if row["profile"] == name
        }
        theirs = {
            (function_label(caller), function_label(key)): count
            for key, value in stats.items()
            for caller, count in value[4].items()
        }
        assert ours == theirs


@pytest.mark.parametrize("sort_key", ["own", "cumulative", "calls", "primitive_calls"])
def test_top_functions_equal_pstats(profile_session, profile, sort_key):
    actual = [row for row in rows(profile_session.function.top(by=sort_key, limit=30)) if row["profiler"] == "cprofile"]
    stats = sum_functions(dumps(profile))
    close(by_key(actual), {key: stats[key][:4] for key in by_key(actual)})
    place = {"primitive_calls": 0, "calls": 1, "own": 2, "cumulative": 3}[sort_key]
    order = sorted((value[place] for value in stats.values()), reverse=True)[:30]
    assert [row[sort_key if place < 2 else f"{sort_key}_s"] for row in actual] == pytest.approx(order, rel=1e-9)
    assert [row["position"] for row in actual] == list(range(1, 31))
    whole = sum(value[2] for value in stats.values())
    assert [row["ratio"] for row in actual] == pytest.approx([row["own_s"] / whole for row in actual], rel=1e-9)


def test_callers_equal_pstats(profile_session, profile):
    actual = [row for row in rows(profile_session.function.callers()) if row["profiler"] == "cprofile"]
    stats = sum_functions(dumps(profile))
    theirs = {}
    for key, (primitive, calls, own, cumulative, callers) in stats.items():
        if not callers:
            theirs[function_label(key), None] = (calls, primitive, own, cumulative)
        for caller, count in callers.items():
            theirs[function_label(key), function_label(caller)] = count
    counts = ("calls", "primitive_calls", "own_s", "cumulative_s")
    close({(row["function"], row["caller"]): tuple(row[name] for name in counts) for row in actual}, theirs)
    totals = {function_label(key): value[2:4] for key, value in stats.items()}
    close({row["function"]: (row["function_own_s"], row["function_cumulative_s"]) for row in actual}, totals)


def job_phase(path):
    (start, *_), (end, *_) = edges(path)
    if start == "prestepzero":
        return "initialization"
    return "finalization" if end == "posthookclose" else "training_loop"


@pytest.mark.parametrize("modes", [False, True])
def test_phases_equal_the_folder_names(profile_session, profile, modes):
    groups = defaultdict(list)
    for path in dumps(profile):
        (start, *_), (end, *_) = edges(path)
        groups[job_phase(path), start if modes else None, end if modes else None].append(path)
    theirs = {
        (*group, *key): value[:4] for group, paths in groups.items() for key, value in sum_functions(paths).items()
    }
    actual = rows(profile_session.function.by_phase(limit=100_000, modes=modes))
    actual = [row for row in actual if row["profiler"] == "cprofile"]
    close(by_key(actual, "job_phase", "start_mode", "end_mode"), theirs)


def test_a_time_window_has_the_profiles_that_overlap_it(profile_session, profile):
    # in ns, from the decimal text: a double cannot hold a tenth of a us
    spans = {path: tuple(int(Decimal(edge[3]) * 1000) for edge in edges(path)) for path in dumps(profile)}
    times = sorted({time for span in spans.values() for time in span})
    times = sorted([*times, *((a + b) // 2 for a, b in itertools.pairwise(times))])
    for start, end in list(itertools.combinations(times, 2))[::5]:
        paths = [path for path, (begin, over) in spans.items() if begin < end and over > start]
        actual = rows(profile_session.function.by_window(start=start, end=end, limit=100_000))
        ours = by_key(row for row in actual if row["profiler"] == "cprofile")
        close(ours, {key: value[:4] for key, value in sum_functions(paths).items()} if paths else {})


@pytest.mark.parametrize("mode", [None, "train", "eval"])
def test_a_range_of_steps_has_the_profiles_that_cover_a_step(profile_session, profile, mode):
    for first, last in [(0, 0), (1, 2), (2, 2), (3, 3), (9, 9), (9, 10), (10, 10), (11, 12), (12, 12), (13, 99)]:
        paths = []
        for path in dumps(profile):
            (start, begin, begins, _), (end, over, ends, _) = edges(path)
            # the first and the last step that was partly profiled
            covered = -1 if begin == "*" else int(begin) + (begins == "stepend")
            until = float("inf") if over == "*" else int(over) - (ends == "stepstart")
            if covered <= last and until >= first and mode in (None, start) and mode in (None, end):
                paths.append(path)
        args = {} if mode is None else {"mode": mode}
        actual = rows(profile_session.function.by_window(first_step=first, last_step=last, limit=100_000, **args))
        ours = by_key(row for row in actual if row["profiler"] == "cprofile")
        close(ours, {key: value[:4] for key, value in sum_functions(paths).items()} if paths else {})


def tree_times(tree):
    """Returns own and cumulative time of the functions of a tree, and of its calls, by recursion."""
    functions, calls = defaultdict(lambda: [0.0, 0.0]), defaultdict(lambda: [0.0, 0.0])

    def walk(frame, above, edges_above):
        name = (frame["file_path"], frame["line_no"], frame["function"])
        children = [child for child in frame["children"] if child["function"] != "[self]"]
        own = max(frame["time"] - sum(child["time"] for child in children), 0)
        functions[name][0] += own
        functions[name][1] += 0 if name in above else frame["time"]
        edge = (above[-1], name) if above else None
        if edge:
            calls[edge][0] += own
            calls[edge][1] += 0 if edge in edges_above else frame["time"]
        for child in children:
            walk(child, [*above, name], [*edges_above, edge])

    walk(tree, [], [])
    return functions, calls


def compare_tree(session, path, name):
    functions, calls = tree_times(json.loads(path.read_text())["root_frame"])
    actual = [row for row in rows(session.table("function")) if row["profile"] == name]
    assert {row["calls"] for row in actual} == {None}
    close(
        {(row["file"] or "", row["line"], row["function"]): [row["own_s"], row["cumulative_s"]] for row in actual},
        functions,
    )
    actual = [row for row in rows(session.table("call")) if row["profile"] == name]
    theirs = {(function_label(caller), function_label(callee)): value for (caller, callee), value in calls.items()}
    close({(row["caller"], row["callee"]): [row["own_s"], row["cumulative_s"]] for row in actual}, theirs)


def test_trees_are_summed_up(shared):
    profile = shared / "data" / "sagemaker" / "pt_small"
    with tl.open(profile, ephemeral=True) as session:
        paths = sorted(profile.rglob("python_stats.json"))
        assert len(paths) == 8
        for path in paths:
            compare_tree(session, path, str(path.relative_to(profile)))


def test_a_tree_of_a_newer_pyinstrument_is_recognized_by_content(tmp_path):
    def frame(function, seconds, *children):
        place = {"file_path": "" if function == "[self]" else "/x/a.py", "file_path_short": "a.py", "line_no": 3}
        return {"function": function, **place, "time": seconds, "await_time": 0.0, "children": list(children)}

    inner = frame("f", 1.5, frame("[self]", 0.5), frame("g", 1.0))
    tree = frame("main", 4.0, frame("f", 3.0, inner, frame("[self]", 1.5)), frame("[self]", 0.25), frame("g", 0.75))
    head = {"start_time": 1.0, "duration": 4.0, "sample_count": 40, "target_description": "Program: a.py"}
    path = tmp_path / "any name"
    path.write_text(json.dumps({**head, "cpu_time": 3.0, "root_frame": tree}))
    with tl.open(tmp_path, ephemeral=True) as session:
        compare_tree(session, path, "any name")


def test_dumps_of_this_python_and_of_profile_are_read(tmp_path):
    # the pure-Python `profile` has numbers instead of cProfile's tuples; marshal before 3 has no references
    cprofile, profile = tmp_path / "a.prof", tmp_path / "b.out"
    one, two = ("a.py", 1, "größe"), ("~", 0, "<built-in method f>")
    caller = (2, 2, 0.25, 0.5)
    cprofile.write_bytes(marshal.dumps({one: (1, 1, 1.0, 2.0, {}), two: (2, 2, 0.25, 0.5, {one: caller})}))
    profile.write_bytes(marshal.dumps({one: (1, 1, 1, 2, {}), two: (2, 2, 0, 0.5, {one: 2})}, 2))
    with tl.open(tmp_path, ephemeral=True) as session:
        actual = by_key(rows(session.table("function")), "profile")
        assert actual[("a.prof", *one)] == (1, 1, 1.0, 2.0)
        assert actual[("b.out", *one)] == (1, 1, 1.0, 2.0)
        assert actual[("b.out", *two)] == (2, 2, 0.0, 0.5)
        calls = [(row["calls"], row["primitive_calls"], row["own_s"]) for row in rows(session.table("call"))]
        assert sorted(calls, key=str) == [(2, 2, 0.25), (2, None, None)]


def test_the_sampler_of_python_3_15_counts_samples(tmp_path):
    main, work = ("train.py", 1, "<module>"), ("train.py", 5, "work")
    stats = {main: (0, 100, 0.0, 0.1, {}), work: (100, 100, 0.1, 0.1, {main: 100}), ("__sampled__",): True}
    (tmp_path / "sampled.prof").write_bytes(marshal.dumps(stats))
    with tl.open(tmp_path, ephemeral=True) as session:
        rows = session.sql("select function, calls, own_s, cumulative_s from function order by line").rows()
        assert [tuple(row.values()) for row in rows] == [("<module>", 100, 0.0, 0.1), ("work", 100, 0.1, 0.1)]
        (call,) = session.sql("select caller, callee, calls from call").rows()
        assert tuple(call.values()) == ("train.py:1(<module>)", "train.py:5(work)", 100)
        (problem,) = session.sql("select kind, class, message from problem").rows()
    assert (problem["kind"], problem["class"]) == ("sampled", "note")
    assert "numbers of samples" in problem["message"]
