"""Changes of a recording that must not change a duration, a share, an overlap or a count."""

import gzip
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import tracelake as tl

ROOT = Path(__file__).parents[2]
SEEDS = (3, 17, *range(100, 100 + int(os.environ.get("TRACELAKE_LAW_SEEDS", "0"))))
"""Seeds of the generated traces. `make fuzz` adds more."""
QUERIES = (
    "annotation.gpu_projection", "annotation.summary", "kernel.by_operator", "kernel.comm_overlap",
    "kernel.idle_breakdown", "kernel.launch_stats", "kernel.occupancy", "kernel.summary", "kernel.temporal_breakdown",
    "loader.next", "memory.peak", "memory.transfers", "operator.summary", "runtime.summary", "step.breakdown",
    "step.critical_path_summary", "step.loader_share", "trace.timeline",
)  # fmt: skip
BY_RANK = (
    "annotation.gpu_projection", "annotation.summary", "kernel.by_operator", "kernel.summary", "loader.next",
    "operator.summary", "runtime.summary",
)  # fmt: skip
"""Queries with a row for each rank, so that recordings without a rank are taken together."""
MEASURES = ("ns", "ratio", "percent", "count", "bytes", "factor", "bytes_per_s", "s")
"""Units of the columns to compare."""


@pytest.fixture(scope="module", params=SEEDS)
def traces(request, tmp_path_factory):
    """The two traces of a job, as texts of JSON."""
    folder = tmp_path_factory.mktemp("job")
    command = [
        sys.executable,
        ROOT / "tests/gen/kineto.py",
        "--steps",
        "3",
        "--seed",
        str(request.param),
        "--out",
        folder,
    ]
    subprocess.run(command, check=True)
    return [gzip.decompress(file.read_bytes()).decode() for file in sorted(folder.glob("*.gz"))]


@pytest.fixture(scope="module")
def expected(traces, tmp_path_factory):
    return measures(dict(zip(("rank0.json", "rank1.json"), traces, strict=True)), tmp_path_factory.mktemp("expected"))


def measures(files, folder):
    """The measures in each row of each query, and how often they occur."""
    for name, text in files.items():
        (folder / name).write_text(text)
    with tl.open(folder, ephemeral=True) as session:
        counts = {}
        for query in QUERIES:
            frame = session.query(query)
            columns = [name for name, unit in frame.units.items() if unit in MEASURES]
            counts[query] = Counter(tuple(rounded(row[name]) for name in columns) for row in frame.rows())
        counts["event"] = session.sql("SELECT category, count(*), sum(dur) FROM event GROUP BY ALL ORDER BY 1").to_csv()
        return counts


def rounded(value):
    """The value without the digits that depend on the order of a sum."""
    return float(f"{value:.9g}") if isinstance(value, float) else value


def changed(text, change, **members):
    """The trace with changed events and members of its root; a member that is None is removed."""
    root = {**json.loads(text), **members}
    for event in root["traceEvents"]:
        change(event)
    return json.dumps({key: value for key, value in root.items() if value is not None})


def unchanged(_event):
    pass


def assert_equal(actual, expected, *, without=()):
    for query in (*QUERIES, "event"):
        if query not in without:
            assert actual[query] == expected[query], query


def test_the_queries_have_rows(expected):
    assert [query for query in QUERIES if not expected[query]] == []


def test_all_times_can_be_shifted(traces, expected, tmp_path):
    def shift(event):
        event["ts"] = round(event["ts"] + 86_400_000_123.457, 3)

    files = {f"rank{rank}.json": changed(text, shift) for rank, text in enumerate(traces)}
    assert_equal(measures(files, tmp_path), expected)


def test_the_epoch_can_be_missing(traces, expected, tmp_path):
    files = {f"rank{rank}.json": changed(text, unchanged, baseTimeNanoseconds=None) for rank, text in enumerate(traces)}
    assert_equal(measures(files, tmp_path), expected)


def test_processes_can_have_other_numbers(traces, expected, tmp_path):
    numbers = {}

    def renumber(event):
        # Devices and processes without a number keep their `pid`.
        if isinstance(event["pid"], int) and event["pid"] > 100:
            numbers.setdefault(event["pid"], 900_000 + len(numbers))
            event["pid"] = numbers[event["pid"]]

    files = {f"rank{rank}.json": changed(text, renumber) for rank, text in enumerate(traces)}
    assert_equal(measures(files, tmp_path), expected)
    assert len(numbers) == 2


@pytest.fixture(scope="module")
def without_ranks(traces, tmp_path_factory):
    """The measures of two files that do not show their ranks."""
    files = {
        f"{name}.json": changed(text, unchanged, distributedInfo=None)
        for name, text in zip(("first", "second"), traces, strict=True)
    }
    return measures(files, tmp_path_factory.mktemp("without_ranks"))


def test_ranks_can_be_unknown(without_ranks, expected):
    assert_equal(without_ranks, expected, without=BY_RANK)


@pytest.mark.parametrize("order", ["one after the other", "by time"])
def test_two_ranks_can_be_in_one_file(traces, without_ranks, tmp_path, order):
    first, second = map(json.loads, traces)
    for key in ("traceEvents", "deviceProperties"):
        first[key] += second[key]
    del first["distributedInfo"]
    if order == "by time":
        first["traceEvents"].sort(key=lambda event: event["ts"])
    # A timeline shows one file.
    assert_equal(measures({"job.json": json.dumps(first)}, tmp_path), without_ranks, without=("trace.timeline",))
