"""Figures that compare ranks and traces: the drawn values equal the raw traces."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import tracelake as tl
from kineto_trace import ask, device_work, intervals, read

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TRACES = ROOT / "tests" / "data" / "pytorch_ddp"
GENERATOR = ROOT / "tests" / "gen" / "kineto.py"
MS = 1e6


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    """A session over two jobs, `before` and `after`, and the raw traces of each by rank."""
    folder = tmp_path_factory.mktemp("jobs")
    raw = {}
    with tl.open(folder / "lake", create=True) as session:
        for run, steps in [("before", 4), ("after", 6)]:
            arguments = ["--out", folder / run, "--steps", str(steps), "--seed", str(steps)]
            subprocess.run([sys.executable, GENERATOR, *arguments], check=True)
            session.ingest(folder / run)
            raw[run] = [read(path) for path in sorted((folder / run).glob("*.gz"))]
        yield session, raw


def figure_json(session, name, *args, **params):
    return json.loads(session.figure(name, *args, **params).to_json())


def title(plot):
    return re.sub("<[^>]+>", " ", plot["layout"]["title"]["text"])


def test_waiting_equals_the_raw_traces(jobs):
    session, raw = jobs
    plot = figure_json(session, "rank_comparison", "after")
    bars = {trace["name"]: trace for trace in plot["data"]}
    waited = Counter()
    ranks = [[e for e in device_work(trace) if e["type"] == "communication"] for trace in raw["after"]]
    for first, second in zip(*ranks, strict=True):
        longer = (first["end"] - first["ts"]) - (second["end"] - second["ts"])
        waited[0] += max(longer, 0)
        waited[1] += max(-longer, 0)
    # the straggler is at the top; with two ranks, each waits for the other
    assert bars["this rank waited for others"]["x"] == pytest.approx([waited[1] / MS, waited[0] / MS])
    assert bars["others waited for this rank"]["x"] == pytest.approx([waited[0] / MS, waited[1] / MS])
    assert plot["layout"]["yaxis"]["ticktext"] == ["rank 1", "rank 0"]
    assert "of waiting is for rank 1; loader differs most" in title(plot)
    assert plot["layout"]["barmode"] == "group"


def test_the_loader_of_the_slow_rank_equals_the_raw_traces(jobs):
    session, raw = jobs
    plot = figure_json(session, "rank_comparison", "after")
    (most,) = [trace for trace in plot["data"] if trace["name"] == "rank with the maximum"]
    names = plot["layout"]["yaxis2"]["ticktext"]
    loads = [e["end"] - e["ts"] for e in intervals(raw["after"][1]) if e["name"].startswith("enumerate(DataLoader)")]
    assert most["x"][names.index("loader")] == pytest.approx(sum(loads) / 6 / MS, rel=0.02)
    assert "loader, rank with the maximum: rank 1" in most["hovertext"][names.index("loader")]


def test_differences_per_step_equal_the_raw_traces(jobs):
    session, raw = jobs
    plot = figure_json(session, "trace_diff", "after", base="before")
    sums = {run: Counter() for run in raw}
    for run, steps in [("before", 4), ("after", 6)]:
        for trace in raw[run]:
            for event in device_work(trace):
                sums[run][event["name"]] += (event["end"] - event["ts"]) / steps / len(raw[run])
    expected = sorted((sums["after"][name] - sums["before"][name] for name in sums["after"]), reverse=True)
    actual = [trace["x"] for trace in plot["data"] if trace["xaxis"] == "x"]
    per = {"ms": MS, "us": 1e3}[re.search(r"\((\w+)\)", plot["layout"]["xaxis2"]["title"]["text"])[1]]
    assert [sum(parts) for parts in zip(*actual, strict=True)] == pytest.approx([value / per for value in expected])
    assert "after compared with before: kernels" in title(plot)
    assert "durations are per step of a rank" in title(plot)


def test_two_recordings_of_one_run_are_compared(jobs):
    session, _ = jobs
    plot = figure_json(session, "trace_diff", "after", base_step=5, step=8)
    assert plot["data"]
    assert "after compared with itself" in title(plot)
    rows = ask(session, "operator.diff", "after", base_step=5, step=8)
    texts = " ".join(text for trace in plot["data"] for text in trace["hovertext"])
    most = max(rows, key=lambda row: abs(row["dur_diff"]))
    assert most["name"] in texts


def test_the_number_of_points_is_limited(jobs):
    session, _ = jobs
    plot = figure_json(session, "trace_diff", "after", base="before", python=True)
    assert max(len(trace["x"]) for trace in plot["data"]) <= 20


@pytest.mark.parametrize(
    ("name", "params", "note"),
    [
        ("rank_comparison", {}, "no two ranks in this profile"),
        ("trace_diff", {}, "nothing to compare in this profile"),
    ],
)
def test_missing_data_is_reported(name, params, note):
    with tl.open(ROOT / "tests" / "data" / "golden" / "job-b", ephemeral=True) as session:
        plot = figure_json(session, name, **params)
    assert plot["data"] == []
    assert note in plot["layout"]["annotations"][0]["text"]


def test_a_single_run_gets_a_hint_how_to_compare():
    with tl.open(TRACES, ephemeral=True) as session:
        plot = figure_json(session, "trace_diff")
        assert plot["data"] == []
        assert "nothing to compare with" in plot["layout"]["annotations"][0]["text"]
        assert figure_json(session, "rank_comparison")["data"]
