"""A run with extreme times and numbers does not change, slow down or abort queries about the other runs of its lake."""

import json
import math
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tracelake as tl

DATA = Path(__file__).parents[1] / "data"
GOOD = ["job-a", "job-k"]
# The limits of stored times (ns): beyond them a value is stored as null.
FIRST, LAST, LONGEST = -(2**60), 2**62 - 1, 2**60 - 1
# These compare each run with the others: a query, and the figure of the same name.
ACROSS_RUNS = {"fleet.trend", "fleet.waste", "loader.scaling"}
MEMORY = 12 << 30


def us(ns: int) -> str:
    """Microseconds with all digits, as a trace has them."""
    sign = "-" if ns < 0 else ""
    return f"{sign}{abs(ns) // 1000}.{abs(ns) % 1000:03}"


def trace(rank: int, times: list[tuple[int, int]]) -> str:
    """A PyTorch trace with a step, an operator, a launch, a kernel and a copy at each time, in ns."""
    events = []
    for number, (ts, dur) in enumerate(times):
        interval = f'"ts": {us(ts)}, "dur": {us(dur)}'
        for category, name, more in [
            ("user_annotation", f"ProfilerStep#{number}", ""),
            ("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", ""),
            ("cpu_op", "aten::mm", ""),
            ("cuda_runtime", "cudaLaunchKernel", f', "args": {{"correlation": {number}}}'),
            ("kernel", "ncclDevKernel_AllReduce", f', "args": {{"correlation": {number}, "device": 0, "stream": 7}}'),
            (
                "gpu_memcpy",
                "Memcpy HtoD (Pageable -> Device)",
                f', "args": {{"bytes": {2**63 - 1}, "device": 0, "stream": 7}}',
            ),
        ]:
            process = 0 if "Kernel" in name or "Memcpy" in name else 1
            events.append(
                f'{{"ph": "X", "cat": "{category}", "name": "{name}", "pid": {process}, "tid": 1, {interval}{more}}}'
            )
    head = f'"schemaVersion": 1, "baseTimeNanoseconds": 0, "distributedInfo": {{"rank": {rank}, "world_size": 2}}'
    return f'{{{head}, "traceEvents": [{",".join(events)}]}}'


def write_hostile(folder: Path) -> None:
    """A profile of several formats: times at the limits, beyond them, and ordinary ones between."""
    folder.mkdir()
    within = [(FIRST, 1), (1, 400_000_000), (LAST - 8, 6), (0, LONGEST), (LAST, LONGEST)]
    beyond = [(-(2**63), 1), (1, 400_000_000), (2**63 - 8, 6), (0, 2**63 - 1)]
    for rank in (0, 1):
        (folder / f"rank{rank}.1.pt.trace.json").write_text(trace(rank, within))
        (folder / f"rank{rank}.2.pt.trace.json").write_text(trace(rank, beyond))
    head = {"recorder": "tracelake", "version": 1, "host": "n", "rank": 0, "pid": 1, "attributes": {}}
    lines = [head]
    for ts, dur in [*within, *beyond]:
        lines.append({"kind": "next", "ts": ts, "dur": dur, "loader": 0, "num_workers": 2})
        lines.append({"kind": "worker", "ts": ts, "dur": dur, "loader": 0, "worker": 0})
    (folder / "loader-0.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "timings.csv").write_text("load_s,compute_s,step\n1e300,1e300,1\n9e9,9e9,2\n0.1,0.1,3\n")


def good_rows(session, names) -> dict[str, object]:
    """What each query returns about the good runs, or the error."""
    row_counts: dict[str, object] = {}
    for name in names:
        rows = session.query(name).rows()
        row_counts[name] = [row for row in rows if row["run"] in GOOD]
    return row_counts


def values_equal(one: object, other: object) -> bool:
    """Whether both are equal, doubles but for rounding: the order in which partitions are summed is not fixed."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) or (math.isnan(one) and math.isnan(other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(values_equal(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(values_equal(a, b) for a, b in zip(one, other, strict=True))
    return one == other


def compare(good: str, both: str, what: str) -> list[str]:
    """In a process of its own with limited memory: a query that expands a long time would take all of it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    different = []
    with tl.open(good) as expected, tl.open(both) as session:
        if what == "queries":
            names = [row["name"] for row in session.sql("select name from help_queries").rows()]
            names = [name for name in names if not name.startswith("finding.") and name not in ACROSS_RUNS]
            for name in names:
                try:
                    rows = good_rows(session, [name])
                except tl.TracelakeError as error:
                    different.append(f"{name}: {error}")
                    continue
                if not values_equal(rows, good_rows(expected, [name])):
                    different.append(name)
        elif what == "findings":
            rows = [
                [row for row in one.sql("select * from diagnosis order by run, id").rows() if row["run"] in GOOD]
                for one in (expected, session)
            ]
            assert rows[0]
            if rows[0] != rows[1]:
                different.append("diagnosis")
        else:
            for name in session.figures():
                pages = [one.figure(name, run=GOOD).to_json() for one in (expected, session)]
                if pages[0] != pages[1] and name not in {query.replace(".", "_") for query in ACROSS_RUNS}:
                    different.append(name)
                session.figure(name).to_json()
    return different


@pytest.fixture(scope="module")
def lakes(tmp_path_factory):
    """A lake with good runs, and one with a run of extreme times next to them."""
    folder = tmp_path_factory.mktemp("extreme")
    with tl.open(folder / "good", create=True) as session:
        for run in GOOD:
            session.ingest(DATA / "golden" / run, run=run, progress=False)
    shutil.copytree(folder / "good", folder / "both")
    write_hostile(folder / "hostile")
    with tl.open(folder / "both") as session:
        session.ingest(folder / "hostile", run="hostile", progress=False)
    return folder / "good", folder / "both"


def test_values_beyond_the_limits_are_null_and_counted(lakes):
    with tl.open(lakes[1]) as session:
        (row,) = session.sql("select min(ts) as first, max(ts) as last, max(dur) as longest from event").rows()
        assert (row["first"], row["last"], row["longest"]) == (FIRST, LAST, LONGEST)
        (row,) = session.sql(
            "select sum(count) as n from problem where kind = 'out_of_range' and run = 'hostile'"
        ).rows()
        # 6 entries at each of 4 times of 2 ranks: two times and one duration of each are out of range
        assert row["n"] >= 2 * 6 * 3


@pytest.mark.parametrize(
    "what",
    ["findings", pytest.param("queries", marks=pytest.mark.slow), pytest.param("figures", marks=pytest.mark.slow)],
)
def test_a_run_with_extreme_times_does_not_change_other_runs(what, lakes):
    done = subprocess.run([sys.executable, __file__, *lakes, what], capture_output=True, text=True, check=False)
    assert (done.returncode, json.loads(done.stdout or "null")) == (0, []), done.stderr


if __name__ == "__main__":
    sys.stdout.write(json.dumps(compare(*sys.argv[1:])))
