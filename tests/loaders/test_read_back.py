"""Files of real data loaders and Lightning equal the values of their objects; `make test-loaders` runs it."""

import array
import json
import os
from collections import Counter
from pathlib import Path

import pytest

import tracelake as tl

HALF = 0.5e-9
"""Returns the tolerance of a time in s that was rounded to ns."""


@pytest.fixture(scope="module")
def folder():
    """The files that tests/gen/loaders.py wrote."""
    return Path(os.environ["TRACELAKE_LOADERS"])


@pytest.fixture(scope="module")
def truth(folder):
    """The values of the objects in memory."""
    return json.loads((folder / "held.json").read_text())


@pytest.fixture(scope="module")
def s(folder, tmp_path_factory):
    """A session over all parts; each part is a run."""
    with tl.open(tmp_path_factory.mktemp("lake") / "lake", create=True) as session:
        for part in sorted(path for path in folder.iterdir() if path.is_dir()):
            session.ingest(part, run=part.name)
        yield session


def rows(session, sql):
    """Returns the rows of a result as dicts."""
    return list(session.sql(sql))


def by_file(session, run, columns):
    """Returns the rows of table `loader` of a run, by file name, in file order."""
    sql = f"select o.url, {columns} from loader l join object o on l.run = o.run and l.object = o.object"
    rows_by_file = {}
    for row in rows(session, f"{sql} where l.run = '{run}' order by l.object, l.row"):
        rows_by_file.setdefault(row.pop("url").rsplit("/", 1)[1], []).append(row)
    return rows_by_file


def test_every_file_is_read_without_problems_except_for_unfinished_passes(s):
    problems = rows(
        s, "select o.url, p.kind from problem p join object o on p.run = o.run and p.object = o.object order by 1"
    )
    problems = {
        (row["url"].rsplit("/", 1)[1], row["kind"])
        for row in problems
        if "/dali/" in row["url"] or "/timings/" in row["url"]
    }
    assert problems == {
        ("log_early_break.json", "bad_total_time"),
        ("log_break_after_epoch.json", "bad_total_time"),
        ("log_never_iterated.json", "no_batch"),
    }


def test_metrics_equal_those_of_dali_s_evaluator(s, truth):
    actual = by_file(s, "dali", "l.kind, l.dur, l.batch, l.variant, l.batches, l.cached_batches")
    assert truth["dali"].pop("log_never_iterated") == {}
    assert actual.keys() == {f"{name}.json" for name in truth["dali"]}
    for name, metrics in truth["dali"].items():
        *batches, whole = actual[f"{name}.json"]
        assert [row["dur"] / 1e9 for row in batches] == pytest.approx(metrics["batch_times"], abs=HALF, rel=0)
        assert [row["batch"] for row in batches] == list(range(metrics["total_batches"]))
        assert {row["kind"] for row in batches} == {"next"}
        assert {row["variant"] for row in [*batches, whole]} == {"ideal" if metrics["mode"] == "replay" else "real"}
        assert (whole["kind"], whole["batches"], whole["cached_batches"]) == (
            "pass", metrics["total_batches"], metrics["cached_batches"],
        )  # fmt: skip
        ended = not name.startswith(("log_early", "log_break"))
        assert (whole["dur"] is not None) == ended
        if ended:
            assert whole["dur"] / 1e9 == pytest.approx(metrics["total_time"], abs=HALF, rel=0)


def test_rows_equal_the_timestamps_of_the_loops(s, truth):
    actual = by_file(s, "timings", "l.step, l.epoch, l.dur, l.compute_dur")
    shapes = {f"{name}{shape}": name for name in truth["timings"] for shape in (".csv", "_list.json", "_lines.jsonl")}
    assert actual.keys() == shapes.keys()
    for file, name in shapes.items():
        expected = truth["timings"][name]
        assert [(row["step"], row["epoch"]) for row in actual[file]] == [
            (row["step"], row["epoch"]) for row in expected
        ]
        for column, key in (("dur", "load_s"), ("compute_dur", "compute_s")):
            times = [row[column] / 1e9 for row in actual[file]]
            assert times == pytest.approx([row[key] for row in expected], abs=HALF, rel=0)


def test_simple_profiler_reports_are_read_exactly(s, truth):
    actual = rows(s, "select action, calls, mean_s, total_s, report_calls from action where run = 'simple'")
    recorded = truth["simple"]
    assert {row["action"]: row["calls"] for row in actual} == {action: len(times) for action, times in recorded.items()}
    for row in actual:
        times = recorded[row["action"]]
        # the report has five digits
        assert row["total_s"] == pytest.approx(sum(times), rel=1e-4)
        assert row["mean_s"] == pytest.approx(sum(times) / len(times), rel=1e-4)
    assert {row["report_calls"] for row in actual} == {sum(map(len, recorded.values()))}


def test_advanced_profiler_reports_are_read_exactly(s, truth):
    actual = rows(s, "select action, function_calls, primitive_calls, total_s from action where run = 'advanced'")
    recorded = truth["advanced"]
    assert {row["action"]: (row["function_calls"], row["primitive_calls"]) for row in actual} == {
        action: (stats["calls"], stats["primitive"]) for action, stats in recorded.items()
    }
    for row in actual:
        assert row["total_s"] == pytest.approx(recorded[row["action"]]["seconds"], abs=0.0005)


def test_dumps_of_the_advanced_profiler_are_read_exactly(s, truth):
    sql = (
        "select f.object, sum(f.calls) as calls, sum(f.own_s) as seconds from function f join object o "
        "on f.run = o.run and f.object = o.object where f.run = 'advanced' and o.format = 'cprofile' group by f.object"
    )
    actual = sorted((row["calls"], row["seconds"]) for row in rows(s, sql))
    expected = sorted((stats["calls"], stats["seconds"]) for stats in truth["advanced"].values() if stats["calls"])
    assert [calls for calls, _ in actual] == [calls for calls, _ in expected]
    assert [seconds for _, seconds in actual] == pytest.approx([seconds for _, seconds in expected], rel=1e-9, abs=1e-9)


def logged(truth):
    """Returns each logged number: ordinal of the call, name, step, value."""
    calls = [(step, metrics) for step, metrics in truth["loggers"] if metrics]
    return [
        (entry, name, step, value)
        for entry, (step, metrics) in enumerate(calls)
        for name, value in metrics.items()
        if name != "epoch" and value is not None
    ]


def test_logs_of_the_csv_logger_are_read_exactly(s, truth):
    sql = (
        "select m.entry, m.raw_name, m.step, m.value from sample m "
        "join object o on m.run = o.run and m.object = o.object "
        "where m.run = 'loggers' and o.format = 'lightning_metrics' and m.raw_name <> 'epoch'"
    )
    actual = {(row["entry"], row["raw_name"], row["step"]): row["value"] for row in rows(s, sql)}
    assert actual == {(entry, name, step): value for entry, name, step, value in logged(truth)}


def test_event_files_are_read_exactly(s, truth):
    sql = (
        "select m.raw_name, m.step, m.value from sample m join object o on m.run = o.run and m.object = o.object "
        "where m.run = 'loggers' and o.format = 'tensorboard_events' and m.raw_name not in ('epoch', 'hp_metric')"
    )
    actual = Counter((row["raw_name"], row["step"], row["value"]) for row in rows(s, sql))
    # event files store 32 bits
    short = lambda value: array.array("f", [value])[0]  # noqa: E731
    assert actual == Counter((name, step, short(value)) for _, name, step, value in logged(truth))
