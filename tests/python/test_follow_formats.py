"""Following works for every format: traces and Python profiles have each row once, in any order of arrival."""

import cProfile
import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from growing_profile import check_equals_one_ingest

ROOT = Path(__file__).parents[2]


def follow(lake, root, arrivals):
    """Follows a folder that gets files one after the other; returns the number of files per poll."""
    arrivals = list(arrivals)
    arrivals.pop(0)()
    read = []
    for arrived in lake.follow(root, "job", every=0.05, idle=0.5):
        read.append(arrived["read"])
        if arrivals:
            arrivals.pop(0)()
    assert arrivals == [], "each arrival was seen"
    return read, check_equals_one_ingest(root, lake, "job")


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    """Two recordings of two ranks, four files."""
    folder = tmp_path_factory.mktemp("traces")
    for seed in ("1", "2"):
        command = [sys.executable, ROOT / "tests/gen/kineto.py", "--steps", "2", "--seed", seed]
        subprocess.run([*command, "--out", folder / seed], check=True, capture_output=True)
    return sorted(folder.rglob("*.json.gz"))


def write_atomically(root, name, content):
    """Writes a file atomically, as a trace handler does at the end of a recording."""
    part = root.parent / "part"
    part.write_bytes(content)
    part.rename(root / name)


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "written"
    folder.mkdir()
    return folder


def test_traces_arrive_rank_by_rank(lake, root, traces):
    def arrival(file):
        return lambda: write_atomically(root, f"{file.parent.name}.{file.name}", file.read_bytes())

    read, tables = follow(lake, root, map(arrival, traces))
    assert sum(read) == len(traces) == 4, "no file is read twice"
    assert tables["event"] > 500


@pytest.mark.parametrize("packed", [False, True])
def test_a_truncated_trace_is_replaced_by_the_complete_one(lake, root, traces, packed):
    name = "rank0.1790857026000000000.pt.trace.json" + packed * ".gz"
    whole = traces[0].read_bytes() if packed else gzip.decompress(traces[0].read_bytes())
    row_counts = []

    def half():
        (root / name).write_bytes(whole[: len(whole) // 2])

    def all_of_it():
        row_counts.append((len(lake.table("event")), len(lake.table("problem"))))
        (root / name).write_bytes(whole)

    read, tables = follow(lake, root, [half, all_of_it])
    assert read == [1, 1]
    ((events, problems),) = row_counts
    assert 0 < events < tables["event"]
    assert problems > 0
    assert tables["problem"] == 0, "nothing is left of the half"


def test_dumps_arrive_and_are_overwritten(lake, root):
    def dump(name, calls):
        def write():
            profile = cProfile.Profile()
            for _ in range(calls):
                profile.runcall(sorted, [3, 1, 2])
            profile.create_stats()
            target = root.parent / "dump"
            profile.dump_stats(target)
            target.rename(root / name)

        return write

    def half(name):
        return lambda: (root / name).write_bytes((root / "rank0.prof").read_bytes()[:-20])

    arrivals = [dump("rank0.prof", 2), dump("rank1.prof", 3), half("rank2.prof"), dump("rank2.prof", 5)]
    read, _ = follow(lake, root, [*arrivals, dump("rank0.prof", 7)])
    assert read == [1] * 5
    calls = lake.sql("select calls from function where function like '%sorted%'")
    assert sorted(row["calls"] for row in calls.rows()) == [3, 5, 7]
