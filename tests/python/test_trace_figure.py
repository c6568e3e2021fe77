"""Figures of PyTorch traces: the drawn values equal the raw traces or the query results."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tracelake as tl
from kineto_trace import FIGURES, ask, device_work, intervals, moments, read

ROOT = Path(__file__).parents[2]
TRACES = ROOT / "tests" / "data" / "pytorch_ddp"
GENERATOR = ROOT / "tests" / "gen" / "kineto.py"
MS = 1e6


@pytest.fixture(scope="module")
def t():
    """A session over the bundled traces: two ranks with devices, collectives, memory and stacks."""
    with tl.open(TRACES, ephemeral=True) as session:
        yield session


@pytest.fixture(scope="module")
def raw():
    """The raw traces, by rank."""
    return [read(path) for path in sorted(TRACES.glob("*.gz"))]


def figure_json(session, name, **params):
    return json.loads(session.figure(name, **params).to_json())


def times_by_name(plot):
    """Returns the title, and the note of an empty plot."""
    return plot["layout"]["title"]["text"], plot["layout"]["annotations"][0]["text"]


def axes(plot):
    every = [axis for name, axis in plot["layout"].items() if re.fullmatch(r"[xy]axis\d*", name)]
    return [axis["title"]["text"] for axis in every if axis.get("visible", True)]


def bars(plot, name):
    return [trace for trace in plot["data"] if trace.get("name") == name]


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_draws_the_bundled_traces(t, name):
    plot = figure_json(t, name)
    assert plot["data"]
    assert re.search(r"\d", plot["layout"]["title"]["text"])
    titled = [title for title in axes(plot) if title and title not in ("rank", "step")]
    assert all(re.search(r"\(.+\)", title) for title in titled), titled


def test_the_parts_of_a_step_equal_the_query(t):
    plot = figure_json(t, "step_breakdown")
    # one panel with a bar for each rank, then one panel per rank
    for part, column in [("kernel", "kernel"), ("communication", "communication"), ("data loader", "exposed_loader")]:
        means, *ranks = bars(plot, part)
        for rank, trace in enumerate(ranks):
            rows = [row for row in ask(t, "step.breakdown", None) if row["rank"] == rank]
            assert trace["y"] == pytest.approx([row[column] / MS for row in rows])
            assert means["y"][rank] == pytest.approx(sum(row[column] for row in rows) / len(rows) / MS)
    parts = [trace["y"] for trace in plot["data"] if trace["yaxis"] == "y2"]
    whole = [sum(values) for values in zip(*parts, strict=True)]
    assert whole == pytest.approx([row["dur"] / MS for row in ask(t, "step.breakdown", None) if row["rank"] == 0])


def test_shares_of_the_devices_equal_the_raw_trace(t, raw):
    plot = figure_json(t, "temporal_breakdown")
    for rank, trace in enumerate(raw):
        work = device_work(trace)
        span = max(event["end"] for event in work) - min(event["ts"] for event in work)
        times_by_type = moments(work, lambda event: event["type"])
        computation = sum(length for kinds, length in times_by_type.items() if "computation" in kinds)
        busy = sum(length for kinds, length in times_by_type.items() if kinds)
        expected = [computation, busy - computation, span - busy]
        actual = [trace["x"][rank] for trace in plot["data"]]
        assert actual == pytest.approx([100 * value / span for value in expected])


def test_the_top_kernels_equal_the_raw_trace(t, raw):
    plot = figure_json(t, "kernel_top")
    sums = {}
    for event in (event for trace in raw for event in device_work(trace)):
        sums[event["name"]] = sums.get(event["name"], 0) + event["end"] - event["ts"]
    expected = sorted(sums.values(), reverse=True)
    actual = [sum(values) for values in zip(*(trace["x"] for trace in plot["data"]), strict=True)]
    assert actual == pytest.approx([value / MS for value in expected])
    assert plot["layout"]["xaxis"]["title"]["text"] == "sum over 2 ranks (ms)"


def test_exposed_communication_equals_the_raw_trace(t, raw):
    plot = figure_json(t, "comm_overlap")
    for rank, trace in enumerate(raw):
        kernels = [event for event in device_work(trace) if event["type"] != "memory"]
        times_by_type = moments(kernels, lambda event: event["type"])
        exposed, hidden = (
            times_by_type[frozenset({"communication"})],
            times_by_type[frozenset({"communication", "computation"})],
        )
        assert [trace["x"][rank] for trace in plot["data"]] == pytest.approx([exposed / MS, hidden / MS])


def test_the_treemap_has_all_device_work_of_operators(t, raw):
    boxes, *_legend = figure_json(t, "operator_treemap")["data"]
    whole = sum(event["end"] - event["ts"] for trace in raw for event in device_work(trace))
    assert (boxes["labels"][0], boxes["values"][0]) == ("run pytorch_ddp", whole)
    values = dict(zip(boxes["ids"], boxes["values"], strict=True))
    inside = {}
    for parent, value in zip(boxes["parents"], boxes["values"], strict=True):
        inside[parent] = inside.get(parent, 0) + value
    assert len(inside) > 5
    assert all(value <= values[parent] for parent, value in inside.items() if parent)


def test_a_box_of_the_flame_graph_is_the_time_of_its_function(t, raw):
    boxes, *_legend = figure_json(t, "function_flame")["data"]
    values = dict(zip(boxes["labels"], boxes["values"], strict=True))
    for name, label in [
        ("train.py(27): training_step", "training_step (train.py:27)"),
        ("nn.Module: Network_0", "nn.Module: Network_0"),
    ]:
        calls = [event for trace in raw for event in intervals(trace) if event["name"] == name]
        assert len(calls) == 16
        assert values[label] == sum(event["end"] - event["ts"] for event in calls)


def test_the_memory_curve_keeps_the_peak(t, raw):
    plot = figure_json(t, "memory_curve")
    for rank, trace in enumerate(raw):
        used = [event["args"]["Total Allocated"] for event in trace["traceEvents"] if event["name"] == "[memory]"]
        axis = "y" if rank == 0 else f"y{rank + 1}"
        (curve,) = [line for line in plot["data"] if line["yaxis"] == axis and line.get("name") == "maximum in use"]
        (least,) = [line for line in plot["data"] if line["yaxis"] == axis and "name" not in line]
        assert max(curve["y"]) == pytest.approx(max(used) / 1e6)
        assert min(least["y"]) == pytest.approx(min(used) / 1e6)
        assert curve["y"][-1] >= used[-1] / 1e6
    coarse = figure_json(t, "memory_curve", bins=3)
    assert all(len(line["y"]) <= 4 * 3 for line in coarse["data"])
    assert max(coarse["data"][1]["y"]) == pytest.approx(max(used) / 1e6)


def streams(trace):
    """Returns the work of each stream."""
    result = {}
    for event in device_work(trace):
        result.setdefault(event["tid"], []).append(event)
    return result


def test_bars_of_idle_streams_equal_the_raw_trace(t, raw):
    plot = figure_json(t, "idle_breakdown")
    idle = []
    for trace in raw:
        for _, work in sorted(streams(trace).items()):
            idle.append(moments(work, lambda _: "busy").get(frozenset(), 0))
    actual = [sum(values) for values in zip(*(trace["x"] for trace in plot["data"]), strict=True)]
    assert actual == pytest.approx([length / MS for length in idle])
    assert plot["layout"]["yaxis"]["ticktext"][0] == "rank 0, gpu0, stream 7"
    (host,) = bars(plot, "the host had launched nothing")
    share = 100 * sum(host["x"]) / sum(actual)
    assert float(re.search(r"<b>([\d.]+) %", plot["layout"]["title"]["text"]).group(1)) == pytest.approx(
        share, abs=0.06
    )
    none = figure_json(t, "idle_breakdown", threshold=0)
    assert not bars(none, "between two kernels")


def test_the_curve_of_a_queue_keeps_the_peak(t, raw):
    for bins in (3, 200):
        plot = figure_json(t, "queue_length", bins=bins)
        curves = [trace for trace in plot["data"] if trace.get("name") == "queued launches"]
        longest = []
        for trace in raw:
            calls = {
                event["args"]["correlation"]: event["ts"]
                for event in intervals(trace)
                if event["cat"] == "cuda_runtime" and "correlation" in event["args"]
            }
            for work in streams(trace).values():
                waits = [(calls[event["args"]["correlation"]], event["ts"]) for event in work]
                longest.append(max(sum(a <= start < b for a, b in waits) for start, _ in waits))
        assert sorted(max(curve["y"]) for curve in curves) == sorted(longest)
        assert all(len(curve["y"]) <= 4 * bins for curve in curves)
    assert set(axes(plot)) == {"", "time (UTC)", "launches (count)"}


def test_the_bandwidth_of_copies_equals_the_raw_trace(t, raw):
    plot = figure_json(t, "memory_bandwidth")
    curves = [trace for trace in plot["data"] if trace.get("name") == "copies"]
    expected = []
    for trace in raw:
        copies = [event for event in device_work(trace) if event["type"] == "memory"]
        rates = [float(event["args"]["memory bandwidth (GB/s)"]) for event in copies]
        expected.append(max(rates))
    assert [max(curve["y"]) for curve in curves] == pytest.approx(expected)
    assert all(min(curve["y"]) == 0 or len(curve["y"]) < 4 for curve in curves)


def test_delays_are_means_over_the_calls(t):
    plot = figure_json(t, "launch_delay")
    rows = ask(t, "kernel.launch_delay_by_operator", None)
    sums = {}
    for row in rows:
        n, host, device = sums.get(row["operator"], (0, 0, 0))
        add = row["n"] * row["operator_delay_mean"], row["n"] * row["launch_delay_mean"]
        sums[row["operator"]] = n + row["n"], host + add[0], device + add[1]
    ordered = sorted(sums.items(), key=lambda item: -item[1][1] - item[1][2])
    unit = {"(us)": 1e3, "(ms)": 1e6}[plot["layout"]["xaxis"]["title"]["text"].split()[-1]]
    for place, trace in enumerate(plot["data"], 1):
        assert trace["x"] == pytest.approx([values[place] / values[0] / unit for _, values in ordered[:20]])
    assert plot["layout"]["yaxis"]["ticktext"] == [name for name, _ in ordered[:20]]


def timeline(raw, rank):
    """Returns the intervals of a rank in the timeline, without Python functions."""
    result = [event for event in intervals(raw[rank]) if event["cat"] not in ("trace", "python_function")]
    return sorted((event["ts"], event["end"] - event["ts"], event["name"]) for event in result)


@pytest.mark.parametrize("rank", [0, 1])
def test_long_intervals_are_drawn_and_short_ones_are_counted(t, raw, rank):
    rows = ask(t, "trace.timeline", None, rank=rank)
    expected = timeline(raw, rank)
    assert sum(row["n"] for row in rows) == len(expected)
    assert {row["rank"] for row in rows} == {rank}
    width = rows[0]["bin_dur"]
    start = min(ts for ts, _, _ in expected)
    long = sorted((ts - start, dur) for ts, dur, _ in expected if dur >= width)
    # as in the figure, in ms from the start of the window
    plot = figure_json(t, "trace_timeline", rank=rank)
    alone = [
        (round(base * MS), round(x * MS))
        for trace in plot["data"]
        if trace["type"] == "bar"
        for base, x, hover in zip(trace["base"], trace["x"], trace["hovertext"], strict=True)
        if "short intervals" not in hover and round(x * MS) >= width
    ]
    assert sorted(alone) == long


def test_a_window_cuts_at_its_edges(t, raw):
    expected = timeline(raw, 0)
    start = expected[0][0] + 12_000_000
    end = start + 5_000_000
    rows = ask(t, "trace.timeline", None, start=start, end=end, bins=50)
    inside = [event for event in expected if event[0] < end and (event[0] + event[1] > start or event[0] >= start)]
    assert sum(row["n"] for row in rows) == len(inside)
    plot = figure_json(t, "trace_timeline", start=start, end=end, bins=50)
    for trace in (trace for trace in plot["data"] if trace["type"] == "bar"):
        assert min(trace["base"]) >= 0
        assert max(map(sum, zip(trace["base"], trace["x"], strict=True))) <= 5 + 0.1 + 1e-9
    assert "5 ms" in plot["layout"]["title"]["text"]


@pytest.mark.slow
def test_the_number_of_points_is_limited(tmp_path):
    subprocess.run([sys.executable, GENERATOR, "--out", tmp_path / "long", "--steps", "300"], check=True)
    with tl.open(tmp_path / "long", ephemeral=True) as session:
        rows = ask(session, "trace.timeline", None, bins=100, lanes=6)
        lanes = {(row["device"], row["track"], row["depth"]) for row in rows}
        assert len(lanes) == 6
        assert rows[0]["excluded_lanes"] > 0
        assert len(rows) <= 6 * 2 * 101
        for name in FIGURES:
            points = sum(
                len(trace.get("hovertext", trace.get("x", []))) for trace in figure_json(session, name)["data"]
            )
            assert points < 10_000, (name, points)
        means = bars(figure_json(session, "step_breakdown"), "kernel")
        assert [len(trace["y"]) for trace in means] == [2, 100, 100]


CPU_ONLY = {
    "traceEvents": [
        {
            "ph": "X",
            "cat": "cpu_op",
            "name": "aten::mm",
            "pid": 1,
            "tid": 1,
            "ts": 1600000000000000,
            "dur": 5,
            "args": {},
        }
    ]
}


def check_message(plot):
    title, note = times_by_name(plot)
    assert plot["data"] == []
    assert title.startswith("<b>")
    assert re.match(r"<b>(no|nothing) ", note), note
    assert len(note) > 60


def test_missing_data_is_reported_for_a_profile_without_traces():
    with tl.open(ROOT / "tests" / "data" / "golden" / "job-b", ephemeral=True) as session:
        for name in FIGURES:
            check_message(figure_json(session, name))


def test_missing_data_is_reported_for_a_trace_without_devices_memory_and_stacks(tmp_path):
    (tmp_path / "cpu.pt.trace.json").write_text(json.dumps(CPU_ONLY))
    with tl.open(tmp_path, ephemeral=True) as session:
        launches = ["idle_breakdown", "queue_length", "launch_delay", "memory_bandwidth"]
        for name in ["temporal_breakdown", "kernel_top", "comm_overlap", "function_flame", "memory_curve", *launches]:
            check_message(figure_json(session, name))
        boxes, *_legend = figure_json(session, "operator_treemap")["data"]
        assert (boxes["labels"][1], boxes["values"]) == ("aten::mm", [5000, 5000])


def test_a_window_without_events_is_reported(t):
    plot = figure_json(t, "trace_timeline", start=0, end=1)
    assert plot["data"] == []
    assert "nothing recorded here" in times_by_name(plot)[1]


def test_a_figure_takes_the_parameters_of_its_queries(t):
    unknown = "cannot draw figure trace_timeline: no parameter `rang`; did you mean `rank`"
    with pytest.raises(tl.errors.ArgumentError, match=unknown):
        t.figure("trace_timeline", rang=1)
    with pytest.raises(tl.errors.ArgumentError, match="expected bigint"):
        t.figure("trace_timeline", rank="1")
    rows = list(t.sql("select params from help_figures where name = 'trace_timeline'"))
    assert rows == [{"params": "bins, depth, end, lanes, python, rank, start"}]


@pytest.mark.parametrize("rank", [0, 1])
def test_the_critical_path_has_every_edge_of_its_rank(t, rank):
    plot = figure_json(t, "critical_path", rank=rank)
    rows = [row for row in ask(t, "step.critical_path", None) if row["rank"] == rank]
    path = [trace for trace in plot["data"] if "customdata" in trace]
    # bars of several edges have their number
    assert sum(sum(trace["customdata"]) for trace in path) == len(rows)
    (unit,) = re.search(r"\((ns|us|ms|s)\)", plot["layout"]["xaxis"]["title"]["text"]).groups()
    scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[unit]
    drawn_time = sum(sum(trace["x"]) for trace in path)
    assert drawn_time == pytest.approx(sum(row["dur"] + row["gap"] for row in rows) / scale)
    # the executed work is below it, in a faint color
    below = [trace for trace in plot["data"] if trace["type"] == "bar" and "customdata" not in trace]
    assert below
    assert all(trace["marker"]["color"].startswith("rgba(") for trace in below)
