"""Every path through the decision tree, over synthetic recordings, compared with the recorder's tree."""

import json
import subprocess
import sys
from itertools import product

import pytest

import tracelake as tl
from tracelake.record.tuning.decision import decision_tree

NS = 10**9
START = 1_600_000_200 * NS
HEAD = {"recorder": "tracelake", "version": 1, "name": "main", "host": "n0", "pid": 100, "rank": 0, "versions": {}}

BUSY = (None, 40, 50, 80, 90)
SHARE = (None, 0.1, 0.3, 0.5)
TIMEOUTS = (False, True)
GROWING = (None, False, True)
# the three questions are independent: each pair of later answers occurs several times
LATER = list(product(TIMEOUTS, GROWING))
RUNS = [(*loading, *LATER[n % len(LATER)]) for n, loading in enumerate(product(BUSY, SHARE))]
FAILED = (40, 0.5, True, None)
RUNS.append(FAILED)


def sample(second, resource, device, metric, value):
    what = {"resource": resource, "device": device, "metric": metric, "value": value, "unit": "percent"}
    return {"kind": "sample", "ts": START + second * NS, **what}


def recording(busy, share, timeouts, growing):
    rows = []
    if busy is not None:
        rows += [sample(second, "gpu", "gpu0", "utilization", busy + (-5 if second % 2 else 5)) for second in range(60)]
    if growing is not None:
        rows += [sample(second, "memory", None, "used", 20 + second if growing else 50) for second in range(100)]
    if share is not None:
        load = round(share * NS)
        took = {"dur": load, "compute_dur": NS - load, "loader": "train", "epoch": 0}
        rows += [{"kind": "next", "ts": START + second * NS, "batch": second, **took} for second in range(60)]
    if timeouts:
        rows.append({"kind": "incident", "ts": START, "what": "worker_timeout", "message": "DataLoader timed out"})
    return [{**HEAD, "time_ns": START, "monotonic_ns": 0, "attributes": {}}, *rows, {"kind": "end", "ts": START}]


NEEDS_GPU = (
    "not enough data: needs a trace with the kernels of the GPU, or samples of it; record them with `tracelake record`"
)
NEEDS_LOG = "not enough data: needs the errors that the program reported; record them with `tracelake record`"


def name(path):
    return "-".join(str(one) for one in path)


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tree")
    for path in RUNS:
        run = folder / "runs" / name(path)
        run.mkdir(parents=True)
        (run / "main-0-100.jsonl").write_text("".join(json.dumps(line) + "\n" for line in recording(*path)))
    # only timings: worker timeouts were not recorded
    table = folder / "runs" / "table"
    table.mkdir()
    (table / "timings.csv").write_text("step,load_s,compute_s\n" + "".join(f"{n},0.5,0.5\n" for n in range(30)))
    with tl.open(folder / "lake", create=True) as session:
        session.ingest(f"{folder}/runs/*")
        yield session


@pytest.fixture(scope="module")
def lines(lake):
    lines_by_run = {}
    for row in lake.query("job.decision_tree").rows():
        lines_by_run.setdefault(row["run"], []).append(row)
    return lines_by_run


def without_value(line):
    """Returns a line without the measured value, which differs between the trees."""
    return line.split(" (")[0]


@pytest.mark.parametrize("path", RUNS, ids=name)
def test_marks_and_texts_equal_those_of_the_recorder(lines, path):
    busy, share, timeouts, growing = path
    drawn = decision_tree(busy, share, timeouts=timeouts, growing=growing).splitlines()
    actual = [row["drawn"] for row in lines[name(path)]]
    assert [without_value(line) for line in actual] == [without_value(line) for line in drawn]
    # numbers have the same text as well
    for line, is_known in ((0, busy is not None), (1, share is not None)):
        if is_known:
            assert actual[line] == drawn[line]


def advice(busy, share):
    """Computes the advice about loading independently; None without enough data."""
    if busy in {50, 80}:
        return None
    if busy == 90:
        return "no: balanced"
    if share is not None and share > 0.3:
        return "yes: more workers; still slow: optimize the item function"
    return None if busy is None or share is None else "no: look at model and optimizer"


@pytest.mark.parametrize("path", RUNS, ids=name)
def test_each_path_ends_in_its_advice(lines, path):
    busy, share, timeouts, growing = path
    rows = lines[name(path)]
    assert [row["line"] for row in rows] == list(range(1, 12))
    marked = [row["text"] for row in rows if row["line"] in {3, 4, 5} and row["mark"] == "holds"]
    assert marked == [advice(busy, share)] if advice(busy, share) else marked == []
    row_by_line = {row["line"]: row for row in rows}
    assert (row_by_line[7]["mark"], row_by_line[8]["mark"]) == (("holds", "not") if timeouts else ("not", "holds"))
    assert row_by_line[6]["value"] == int(timeouts)
    expected = {None: ("unknown", "unknown"), True: ("holds", "not"), False: ("not", "holds")}[growing]
    assert (row_by_line[10]["mark"], row_by_line[11]["mark"]) == expected
    assert (row_by_line[1]["value"], row_by_line[1]["threshold"]) == (
        None if busy is None else pytest.approx(busy / 100),
        0.5,
    )
    assert (row_by_line[2]["value"], row_by_line[2]["threshold"]) == (
        None if share is None else pytest.approx(share),
        0.3,
    )
    for row in rows:
        asks = row["line"] in {1, 2, 6, 9}
        assert (row["evaluation"] is not None) == asks
        # missing data has a hint how to record it
        if asks and row["value"] is None:
            assert row["mark"] != "holds"
            assert row["evaluation"].startswith("not enough data: needs ")
            assert "`tracelake record`" in row["evaluation"]


def test_without_a_recording_timeouts_are_unknown(lines):
    rows = lines["table"]
    assert [(row["mark"], row["evaluation"]) for row in rows[:8]] == [
        ("unknown", NEEDS_GPU),
        ("unknown", "50.0 % of the time"),
        ("holds", None),
        ("not", None),
        ("unknown", None),
        ("unknown", NEEDS_LOG),
        ("unknown", None),
        ("unknown", None),
    ]
    drawn = decision_tree(None, 0.5, timeouts=None, growing=None).splitlines()
    assert [without_value(row["drawn"]) for row in rows] == [without_value(line) for line in drawn]


def test_limits_are_parameters(lake):
    def marks(**limits):
        rows = lake.query("job.decision_tree", run=name((50, 0.3, True, False)), **limits).rows()
        return [row["mark"] for row in rows][:5]

    assert marks() == ["unknown", "unknown", "not", "unknown", "unknown"]
    assert marks(low=0.51) == ["holds", "holds", "not", "holds", "not"]
    assert marks(low=0.51, load=0.29) == ["holds", "holds", "holds", "not", "not"]
    assert marks(low=0.4, high=0.49) == ["holds", "not", "not", "not", "holds"]


@pytest.mark.slow
def test_python_and_shell_show_the_same_tree(lake):
    path = name(FAILED)
    tree = lake.diagnose(path).tree
    assert str(tree) == repr(tree)
    assert str(tree).splitlines()[0] == lake.diagnose(path).headline
    command = [sys.executable, "-m", "tracelake", "--lake", lake.url, "diagnose", path, "--tree"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, ""), "a worker timed out, which is critical"
    assert done.stdout == f"{tree}\n"
    assert len(done.stdout.splitlines()) == 12
    rows = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, check=False).stdout
    shell_rows = [json.loads(line) for line in rows.splitlines()]
    assert [(row["mark"], row["drawn"]) for row in shell_rows] == [
        (row["mark"], row["drawn"]) for row in tree.frame.rows()
    ]
    refused = subprocess.run([*command, "--all"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "--tree" not in subprocess.run(command[:-1], capture_output=True, text=True, check=False).stdout


def test_several_runs_are_shown_one_below_the_other(lake):
    runs = [name(RUNS[0]), name(RUNS[-1])]
    shown = str(lake.diagnose(runs).tree).splitlines()
    assert len(shown) == 2 * 12
    assert [line.split(": ")[0] for line in shown if not line.startswith(" ")] == sorted(runs)


def test_a_notebook_shows_lines_and_escapes_names(tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    (run / "main-0-100.jsonl").write_text("".join(json.dumps(line) + "\n" for line in recording(*FAILED)))
    with tl.open(tmp_path / "lake", create=True) as session:
        assert str(session.diagnose().tree) == ""
        session.ingest(run, run="<script>alert(1)")
        shown = session.diagnose().tree._repr_html_()
    assert "<script>" not in shown
    assert shown.count("</span>") == 11
    assert '<span style="font-weight:bold">&gt;       yes: more workers' in shown
