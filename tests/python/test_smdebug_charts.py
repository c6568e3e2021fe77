"""The charts of `tracelake.smdebug` over whole profiles, compared with an independent reader of the lines."""

import json
import os
import re
import shutil
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from hang_guard import HANG_GUARD_S
from tracelake.smdebug._profile import Profile
from tracelake.smdebug.profiler.algorithm_metrics_reader import LocalAlgorithmMetricsReader
from tracelake.smdebug.profiler.analysis.notebook_utils import _samples, timeline_charts
from tracelake.smdebug.profiler.analysis.notebook_utils.heatmap import Heatmap
from tracelake.smdebug.profiler.analysis.notebook_utils.metrics_histogram import MetricsHistogram
from tracelake.smdebug.profiler.analysis.notebook_utils.step_histogram import StepHistogram
from tracelake.smdebug.profiler.analysis.notebook_utils.step_timeline_chart import StepTimelineChart
from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
from tracelake.smdebug.profiler.system_metrics_reader import LocalSystemMetricsReader

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
CPU = "CPUUtilization-nodeid:algo-1"


@pytest.fixture(scope="module")
def pt_small(shared) -> Path:
    return shared / "data" / "sagemaker" / "pt_small"


@pytest.fixture(scope="module")
def system(pt_small):
    return LocalSystemMetricsReader(str(pt_small))


@pytest.fixture(scope="module")
def framework(pt_small):
    return LocalAlgorithmMetricsReader(str(pt_small))


@pytest.fixture(scope="module")
def samples(pt_small) -> pd.DataFrame:
    """Returns every line of the system files."""
    files = sorted(pt_small.glob("system/incremental/*/*.json"), key=lambda file: file.name)
    return pd.DataFrame([json.loads(line) for file in files for line in file.read_text().splitlines()])


@pytest.fixture(scope="module")
def events(pt_small) -> pd.DataFrame:
    """Returns every interval of the timeline: start and dur in us."""
    (file,) = pt_small.glob("framework/pevents/*/*.json")
    phases, offset, result = {}, 0, []
    for event in json.loads(file.read_text()):
        args = event.get("args") or {}
        if event["ph"] == "M":
            offset = args.get("start_time_since_epoch_in_micros", offset)
            if event["name"] == "process_name" and "name" in args:
                phases[event["pid"]] = args["name"]
        elif event["ph"] == "X":
            result.append({
                "name": event["name"],
                "phase": phases[event["pid"]],
                "start": event["ts"] + offset,
                "dur": event["dur"],
                "step": args.get("step_num"),
                "worker": args.get("worker_id"),
            })  # fmt: skip
    return pd.DataFrame(result)


def write_profile(root: Path, files: dict[str, list[tuple]]) -> Path:
    """Writes a profile with these files: node, type, dimension, name, time (s in the minute), and value per sample."""
    for name, rows in files.items():
        minute = int(name.split(".")[0])
        keys = ("NodeId", "Type", "Dimension", "Name", "Timestamp", "Value")
        lines = [json.dumps(dict(zip(keys, (*row[:4], minute + row[4], row[5]), strict=True))) for row in rows]
        path = root / "system" / "incremental" / "2020091312" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
    return root


def total(samples, dimension):
    """Returns the mean of the n-th samples of all names of a dimension: times and values."""
    some = samples[samples["Dimension"] == dimension]
    ordinal = some.groupby("Name").cumcount()
    return some.groupby(ordinal)[["Timestamp", "Value"]].mean().to_numpy()


def test_timelines_contain_every_sample(system, samples):
    charts = TimelineCharts(system, None)
    drawn = {(key, name): s.data for key, names in charts.sources.items() for name, s in names.items()}
    assert len(drawn) == len(samples.groupby(["Dimension", "Name"])) + samples["Dimension"].nunique()
    for (dimension, name), rows in samples.groupby(["Dimension", "Name"]):
        data = drawn[f"{dimension}-nodeid:algo-1", name]
        assert data["x"].tolist() == rows["Timestamp"].tolist()
        assert data["y"].tolist() == rows["Value"].tolist()
    for dimension in samples["Dimension"].unique():
        data = drawn[f"{dimension}-nodeid:algo-1", "total"]
        mean = total(samples, dimension)
        np.testing.assert_allclose(data["x"], mean[:, 0], rtol=0, atol=1e-6)
        np.testing.assert_allclose(data["y"], mean[:, 1], rtol=1e-12)
    assert charts.last_timestamp_system_metrics == round(samples["Timestamp"].max() * 1e6)
    assert charts.sources[CPU]["cpu0"].data["x"][-1] > 1600000320 + 58, "the last minute is drawn"


def test_the_figure_shows_the_whole_run_in_order_of_time(system, samples):
    charts = TimelineCharts(system, None, select_dimensions=["CPU", "Platform"], select_events=["cpu0", "Receive"])
    assert [trace.name for trace in charts.figure.data] == [
        f"{CPU}_cpu0",
        "Platform-nodeid:algo-1_ReceiveBytesPerSecond",
    ]
    for trace, (dimension, name) in zip(
        charts.figure.data, [("CPUUtilization", "cpu0"), ("Platform", "ReceiveBytesPerSecond")], strict=True
    ):
        rows = samples[(samples["Dimension"] == dimension) & (samples["Name"] == name)]
        np.testing.assert_allclose(trace.x, rows["Timestamp"] * 1000, rtol=0, atol=1e-3)
        assert trace.y.tolist() == rows["Value"].tolist()
        assert trace.customdata.tolist() == list(range(len(rows)))
    layout = charts.figure.layout
    assert (layout.xaxis.type, layout.xaxis2.title.text) == ("date", "time (UTC)")
    assert layout.xaxis2.matches == "x"
    assert layout.yaxis.range == (0, 102)
    assert (layout.yaxis.title.text, layout.yaxis2.title.text) == ("%", "B/s")


def test_only_the_last_samples_are_visible_at_first(system):
    charts = TimelineCharts(system, None, select_dimensions=["CPU"], select_events=["cpu0"], x=100)
    data = charts.sources[CPU]["cpu0"].data
    assert charts.width == 100
    assert charts.figure.layout.xaxis.range == (data["x"][-101] * 1000, data["x"][-1] * 1000)
    assert len(charts.figure.data[0].x) == len(data["x"])
    assert "the last 101 of" in charts.figure.layout.title.text


def test_a_million_samples_are_thinned_without_losing_outliers(monkeypatch):
    rng = np.random.default_rng(7)
    value = rng.uniform(40, 60, 1_000_000)
    value[[123_456, 999_321]] = 99.5, 0.25
    value[500_000:500_100] = np.nan
    time = 1.6e9 + np.arange(1_000_000) / 2
    series = [_samples.Series("algo-1", "CPUUtilization", "cpu0", _samples.SeriesStyle("cpu", "percent"), time, value)]
    monkeypatch.setattr(_samples, "read_series", lambda *_: series)
    reader = SimpleNamespace(profile=None)
    for x in (1000, 10**9):
        charts = TimelineCharts(reader, None, x=x, select_events=["cpu0"])
        (trace,) = charts.figure.data
        assert len(trace.x) < 2 * timeline_charts.PANEL_POINTS + 4
        assert (np.nanmax(trace.y), np.nanmin(trace.y)) == (99.5, 0.25)
        assert {123_456, 999_321, 999_999} <= set(trace.customdata.tolist())
        assert np.array_equal(value[trace.customdata], trace.y, equal_nan=True)
        assert "minimum and maximum of each segment" in charts.figure.layout.title.text
        assert len(charts.sources[CPU]["cpu0"].data["x"]) == 1_000_000
    assert set(range(999_000, 1_000_000)) <= set(
        TimelineCharts(reader, None, select_events=["cpu0"]).figure.data[0].customdata.tolist()
    )
    heatmap = Heatmap(reader)
    (drawn,) = heatmap.figure.data
    assert np.array(drawn.z).shape == (3, 2000)
    np.testing.assert_allclose(np.array(drawn.z)[0, :2], [value[:999].mean(), value[999:1998].mean()], rtol=1e-12)
    assert np.array(drawn.z)[0, 1000:].tolist() == value[-1000:].tolist()
    assert drawn.x[999:1003].tolist() == [998_000.5, 998_999.5, 999_000.5, 999_001.5]


def test_the_number_of_panels_is_limited(monkeypatch):
    time = 1.6e9 + np.arange(10.0)
    look = _samples.SeriesStyle("cpu", "percent")
    names = [f"cpu{n}" for n in range(500)]
    series = [_samples.Series("algo-1", "CPUUtilization", name, look, time, time) for name in names]
    monkeypatch.setattr(_samples, "read_series", lambda *_: series)
    reader = SimpleNamespace(profile=None)
    charts = TimelineCharts(reader, None)
    assert len(charts.figure.data) == 60
    assert "60 of 501 metrics are drawn" in charts.figure.layout.title.text
    assert len(charts.sources[CPU]) == 501
    histogram = MetricsHistogram(reader)
    histogram.plot()
    assert len(histogram.figure.data) == 80
    heatmap = Heatmap(reader)
    assert np.array(heatmap.figure.data[0].z).shape == (400, 10)
    assert heatmap.figure.layout.height > 400 * 12


def overlapping(events, begin, end):
    return events[(events["start"] + events["dur"] >= begin * 1e6) & (events["start"] <= end * 1e6)]


@pytest.mark.parametrize("indexes", [[100, 110], [120, 118], [150, 300]])
def test_annotations_are_sums_in_ms(system, framework, events, capsys, indexes):
    charts = TimelineCharts(system, framework, select_dimensions=["CPU"], select_events=["total"])
    capsys.readouterr()
    charts.find_time_annotations(indexes)
    first, *lines = capsys.readouterr().out.splitlines()
    begin, end = map(float, re.fullmatch(r"Selected timerange: (\S+) to (\S+)", first).groups())
    time = charts.sources[CPU]["total"].data["x"]
    assert (begin, end) == (time[min(indexes)], time[max(indexes)])
    expected = Counter()
    for event in overlapping(events, begin, end).itertuples():
        expected[event.name if event.step is None else f"{event.name}_{event.step}"] += event.dur
    actual = dict(re.fullmatch(r"Spent (\S+) ms \(cumulative time\) in (.*)", line).groups()[::-1] for line in lines)
    assert list(actual) == list(expected)
    assert {name: float(ms) for name, ms in actual.items()} == {name: us / 1000 for name, us in expected.items()}


def test_details_equal_the_events_of_the_range(system, framework, events, capsys):
    charts = TimelineCharts(system, framework, select_dimensions=["CPU"], select_events=["total"])
    charts.plot_detailed_profiler_data([100, 110])
    time = charts.system_metrics[CPU]["cpu0"][:, 0]
    some = overlapping(events, time[100], time[110])
    loader = some["worker"].notna()
    for drawn, rows, column in [
        (charts.dataloaders, some[loader], "name"),
        (charts.framework_events, some[~loader], "phase"),
    ]:
        lines = {key: n for n, key in enumerate(dict.fromkeys(rows["worker"] if column == "name" else rows["phase"]))}
        expected = {}
        for row in rows.itertuples():
            line = lines[row.worker if column == "name" else row.phase]
            expected.setdefault(getattr(row, column), []).append(
                [row.start // 1000, (row.start + row.dur) // 1000, line]
            )
        assert drawn == expected
    bars = {trace.name: len(trace.x) for trace in charts.detailed.data}
    assert bars == {key: len(rows) for key, rows in {**charts.dataloaders, **charts.framework_events}.items()}
    (next_ones,) = [trace for trace in charts.detailed.data if trace.name == "DataLoaderIter::GetNext"]
    rows = some[some["name"] == next_ones.name]
    clock = pd.to_datetime(rows["start"], unit="us").dt.strftime("%H:%M:%S.%f")
    assert [(name, start, float(ms)) for name, start, ms in next_ones.customdata] == [
        (next_ones.name, start, us / 1000) for start, us in zip(clock, rows["dur"], strict=True)
    ]
    assert "23 events of data loaders, 437 of the framework" in charts.detailed.layout.title.text
    assert "No selection made" not in capsys.readouterr().out


def test_empty_selections_and_recordings_are_reported(system, tmp_path, capsys):
    charts = TimelineCharts(system, None)
    capsys.readouterr()
    charts.find_time_annotations([])
    charts.plot_detailed_profiler_data([])
    assert capsys.readouterr().out == "No selection made\n" * 2
    nothing = SimpleNamespace(profile=Profile(tmp_path))
    empty = TimelineCharts(nothing, None)
    capsys.readouterr()
    empty.find_time_annotations([1, 2])
    empty.plot_detailed_profiler_data([1, 2])
    assert capsys.readouterr().out.count("No system metrics were recorded") == 2
    histograms = MetricsHistogram(nothing), StepHistogram(nothing)
    for histogram in histograms:
        histogram.plot()
    for chart in (empty, Heatmap(nothing), StepTimelineChart(nothing), *histograms):
        assert "nothing was recorded" in chart.figure.layout.annotations[0].text
        chart.update_data(0)
        assert not chart.figure.data


def test_indices_beyond_a_node_that_ended_early_use_the_longest_node(tmp_path, capsys):
    cpu = ("cpu", "CPUUtilization", "cpu0")
    files = {
        "1600000200.algo-1.json": [("algo-1", *cpu, n, 1) for n in range(3)],
        "1600000200.algo-2.json": [("algo-2", *cpu, n + 0.5, 1) for n in range(6)],
    }
    charts = TimelineCharts(SimpleNamespace(profile=Profile(write_profile(tmp_path / "ended", files))), None)
    for indexes, begin, end in [([0, 2], 0, 2), ([1, 3], 1.5, 3.5), ([1, 4], 1.5, 4.5), ([2, 9], 2.5, 5.5)]:
        capsys.readouterr()
        charts.find_time_annotations(indexes)
        assert capsys.readouterr().out == f"Selected timerange: {1600000200 + begin:.1f} to {1600000200 + end:.1f}\n"


def test_the_heatmap_contains_every_sample(system, samples):
    heatmap = Heatmap(system, select_dimensions=[".*"])
    rows = dict(zip(heatmap.source.data["metric"], heatmap.source.data["image"], strict=True))
    assert heatmap.width == samples.groupby(["Dimension", "Name"]).size().max()
    expected = {}
    for (dimension, name), some in samples.groupby(["Dimension", "Name"]):
        values = some["Value"].to_numpy()
        relative = dimension in ("Algorithm", "Platform", "") and values.max() != 0
        expected[f"{dimension}_{name}_algo-1"] = values / values.max() * 100 if relative else values
    for dimension in samples["Dimension"].unique():
        parts = [values for key, values in expected.items() if key.startswith(f"{dimension}_")]
        for row in (f"{dimension}_total_algo-1", f"{dimension}_total_node_total"):
            expected[row] = np.mean(parts, axis=0)
    assert rows.keys() == expected.keys()
    for name, values in rows.items():
        np.testing.assert_allclose(values, expected[name], rtol=1e-12, atol=1e-12)
    (drawn,) = heatmap.figure.data
    assert list(drawn.y) == list(rows)
    np.testing.assert_array_equal(np.array(drawn.z), np.array(list(rows.values())))
    assert (drawn.x[0], drawn.x[-1]) == (-0.5, heatmap.width - 0.5)


def test_nodes_of_different_length_and_kind_are_drawn(tmp_path):
    cpu, gpu = ("cpu", "CPUUtilization"), ("gpu", "GPUUtilization")
    files = {
        "1600000200.algo-1.json": [
            *[("algo-1", *cpu, "cpu0", n, 10 * n) for n in range(4)],
            *[("algo-1", *cpu, "cpu1", n, 100) for n in range(3)],
        ],
        "1600000200.algo-2.json": [
            *[("algo-2", *cpu, "cpu0", n, 20) for n in range(2)],
            ("algo-2", *gpu, "gpu0", 0, None),
            ("algo-2", *gpu, "gpu0", 1, 100),
            ("algo-2", *gpu, "gpu1", 0, 50),
            ("algo-2", *gpu, "gpu1", 1, 50),
        ],
    }
    reader = SimpleNamespace(profile=Profile(write_profile(tmp_path / "two_nodes", files)))
    heatmap = Heatmap(reader)
    rows = dict(zip(heatmap.source.data["metric"], map(list, heatmap.source.data["image"]), strict=True))
    assert rows["CPUUtilization_total_algo-1"] == [50, 55, 60, 30]
    assert rows["CPUUtilization_total_node_total"] == [35, 37.5, 60, 30]
    assert rows["GPUUtilization_total_node_total"] == [50, 75]
    drawn = np.array(heatmap.figure.data[0].z)
    assert drawn.shape == (len(rows), 4)
    assert np.isnan(drawn[list(rows).index("CPUUtilization_cpu0_algo-2")]).tolist() == [False, False, True, True]
    charts = TimelineCharts(reader, None, show_workers=False)
    assert charts.sources["CPUUtilization"]["total"].data["y"].tolist() == [50, 20, 55, 20, 60, 30]
    histogram = MetricsHistogram(reader)
    histogram.plot()
    assert histogram.sources["GPUUtilization-nodeid:algo-2"]["gpu0"].data["top"].sum() == 1, "null is no value"


def test_every_value_is_in_a_bin(system, samples):
    histogram = MetricsHistogram(system)
    histogram.plot()
    for (dimension, name), rows in samples.groupby(["Dimension", "Name"]):
        data = histogram.sources[f"{dimension}-nodeid:algo-1"][name].data
        expected = Counter()
        percent = "Utilization" in dimension or "Percent" in dimension + name
        top = 50 if percent else len(data["left"])
        width = 2 if percent else rows["Value"].max() / 50
        for value in rows["Value"]:
            expected[min(int(value // width) if width else 0, top - 1)] += 1
        assert data["top"].sum() == len(rows)
        if percent:
            assert {n: count for n, count in enumerate(data["top"]) if count} == expected
            assert (data["left"][0], data["right"][-1]) == (0, 100)
        else:
            assert data["left"][0] == 0
            assert data["right"][-1] == (rows["Value"].max() or 1)
    busy = samples[(samples["Dimension"] == "GPUUtilization") & (samples["Value"] == 100)]
    assert len(busy) > 0
    assert histogram.sources["GPUUtilization-nodeid:algo-1"]["gpu0"].data["top"][-1] >= len(busy)


def test_values_below_zero_and_above_a_hundred_are_in_a_bin(tmp_path):
    rows = [("algo-1", "cpu", "CPUUtilization", "cpu0", n, value) for n, value in enumerate([-19.61, 0, 100, 101.5])]
    reader = SimpleNamespace(profile=Profile(write_profile(tmp_path / "odd", {"1600000200.algo-1.json": rows})))
    histogram = MetricsHistogram(reader)
    histogram.plot(select_events=["cpu0"])
    data = histogram.sources[CPU]["cpu0"].data
    assert {data["left"][n]: count for n, count in enumerate(data["top"]) if count} == {-20: 1, 0: 1, 100: 2}


def test_durations_do_not_depend_on_earlier_calls(framework, events):
    for _ in range(2):
        histogram = StepHistogram(framework)
        histogram.plot(select_metrics=[".*"])
        histogram.plot(select_metrics=[".*"])
        expected = {f"{phase}-nodeid:algo-1-0": rows["dur"] / 1e6 for phase, rows in events.groupby("phase")}
        assert {name: list(values) for name, values in histogram.step_metrics.items()} == {
            name: list(values) for name, values in expected.items()
        }
    for name, values in expected.items():
        data = histogram.sources[name].data
        high = values.median() + 2 * values.std(ddof=0)
        assert data["left"][0] == values.min()
        assert data["top"].sum() == (values <= data["right"][-1]).sum()
        assert abs(data["right"][-1] - high) <= (high - values.min()) / 50 + 1e-12
        for left, right, count in list(zip(data["left"], data["right"], data["top"], strict=True))[:-1]:
            assert count == ((values >= left) & (values < right)).sum()
    titles = [note.text for note in histogram.figure.layout.annotations]
    train = expected["Step:ModeKeys.TRAIN-nodeid:algo-1-0"]
    beyond = (train > histogram.sources["Step:ModeKeys.TRAIN-nodeid:algo-1-0"].data["right"][-1]).sum()
    assert f"Step:ModeKeys.TRAIN-nodeid:algo-1-0<br>{beyond} longer, up to 2.2 s" in titles
    histogram.clear()
    assert histogram.step_metrics == {}


def timeline(root: Path, durations, name="Step:ModeKeys.TRAIN", end=1600000260000000) -> Path:
    """Writes a profile with consecutive steps of these durations (us)."""
    start = [
        {"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1600000200000000}}
    ]
    phase = [{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": name}}]
    steps = [
        {"name": name, "ph": "X", "pid": 1, "ts": 10_000_000 * n, "dur": dur, "args": {"pid": 1, "step_num": str(n)}}
        for n, dur in enumerate(durations)
    ]
    path = root / "framework" / "pevents" / "2020091312" / f"{end}_0-algo-1_pythontimeline.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[\n" + ",\n".join(map(json.dumps, start + phase + steps)) + "\n]")
    return root


@pytest.mark.parametrize("durations", [[250_000], [250_000] * 7])
def test_equal_durations_have_one_bin(tmp_path, durations):
    reader = LocalAlgorithmMetricsReader(str(timeline(tmp_path / "equal", durations)))
    histogram = StepHistogram(reader)
    histogram.plot()
    (source,) = histogram.sources.values()
    assert (source.data["top"].tolist(), source.data["left"].tolist()) == ([len(durations)], [0.25])
    assert len(StepTimelineChart(reader).source.data["x"]) == len(durations)


def test_the_step_timeline_has_every_step_with_its_name(framework, events):
    chart = StepTimelineChart(framework)
    steps = events[events["name"].str.startswith("Step")].sort_values("start", kind="stable")
    data = chart.source.data
    np.testing.assert_array_equal(data["x"], (steps["start"] - steps["start"].min()) / 1e6)
    np.testing.assert_array_equal(data["y"], steps["dur"] / 1e6)
    assert data["step"].tolist() == steps["step"].astype(float).tolist()
    assert data["metric"].tolist() == steps["name"].tolist()
    assert len(data["x"]) == 132
    for trace in chart.figure.data:
        mode = trace.name
        places = trace.customdata[:, 0].astype(int)
        assert {data["metric"][place] for place in places} == {mode}
        assert trace.x.tolist() == data["x"][places].tolist()
        assert trace.customdata[:, 1].tolist() == data["step"][places].tolist()
        assert f"{mode}, algo-1-0<br>" in trace.hovertemplate
    assert sum(len(trace.x) for trace in chart.figure.data) == 132
    layout = chart.figure.layout
    assert (layout.xaxis.title.text[-3:], layout.yaxis.title.text[-3:]) == ("(s)", "(s)")


def state(chart):
    """Returns everything that is drawn."""
    return chart.figure.to_json()


def test_new_data_is_drawn(pt_small, tmp_path, capsys):
    live = tmp_path / "live" / "profiler-output"
    shutil.copytree(pt_small, live, ignore=shutil.ignore_patterns("1600000260*", "1600000320*", "framework"))
    system, framework = LocalSystemMetricsReader(str(live)), LocalAlgorithmMetricsReader(str(live))
    charts, heatmap, histogram = TimelineCharts(system, framework), Heatmap(system), MetricsHistogram(system)
    histogram.plot()
    steps, durations = StepTimelineChart(framework), StepHistogram(framework)
    durations.plot()
    first = charts.sources[CPU]["total"].data["x"].tolist()
    drawn = [charts, heatmap, histogram]

    def grow(name):
        (file,) = pt_small.rglob(name)
        target = live / file.relative_to(pt_small)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)

    def update():
        system.refresh_event_file_list()
        for chart in drawn:
            chart.update_data(system.get_timestamp_of_latest_available_file())

    before = [state(chart) for chart in drawn]
    update()
    assert [state(chart) for chart in drawn] == before, "nothing new, nothing twice"
    capsys.readouterr()
    grow("1600000320.algo-1.json")
    update()
    assert "Found 3120 new system metrics events" in capsys.readouterr().out
    grow("1600000260.algo-1.json")  # came late
    update()
    assert charts.sources[CPU]["total"].data["x"][: len(first)].tolist() == first
    whole = LocalSystemMetricsReader(str(pt_small))
    fresh = MetricsHistogram(whole)
    fresh.plot()
    for chart, other in zip(drawn, [TimelineCharts(whole, None), Heatmap(whole), fresh], strict=True):
        assert state(chart) == state(other)

    grow("*_pythontimeline.json")
    framework.refresh_event_file_list()
    for chart in (steps, durations):
        chart.update_data(framework.get_timestamp_of_latest_available_file())
    whole = LocalAlgorithmMetricsReader(str(pt_small))
    fresh = StepHistogram(whole)
    fresh.plot()
    assert [state(steps), state(durations)] == [state(StepTimelineChart(whole)), state(fresh)]


def test_the_time_of_the_newest_file_includes_its_samples(system, samples, tmp_path):
    newest = system.get_timestamp_of_latest_available_file()
    histogram = MetricsHistogram(system)
    histogram.plot(endtime=newest)
    assert sum(len(values) for values in histogram.system_metrics[CPU].values()) == 9 * 359
    charts, before = (
        TimelineCharts(system, None, endtime=end, select_dimensions=["CPU"]) for end in (newest, newest - 1)
    )
    assert charts.figure.to_json() == TimelineCharts(system, None, select_dimensions=["CPU"]).figure.to_json()
    assert before.sources[CPU]["cpu0"].data["x"].max() < newest / 1e6
    half = Heatmap(system, endtime=newest + 30_000_000)
    cpu0 = samples[(samples["Dimension"] == "CPUUtilization") & (samples["Name"] == "cpu0")]["Timestamp"]
    assert half.width == (cpu0 <= newest / 1e6 + 30).sum() < Heatmap(system, endtime=newest).width
    rows = [("algo-1", "cpu", "CPUUtilization", "cpu0", n, 5) for n in range(4)]
    alone = LocalSystemMetricsReader(str(write_profile(tmp_path / "one_file", {"1600000200.algo-1.json": rows})))
    assert Heatmap(alone, endtime=alone.get_timestamp_of_latest_available_file()).width == 4


def test_an_update_can_end_before_the_newest_data(system, samples):
    charts = TimelineCharts(system, None, endtime=1600000230000000)
    charts.update_data(1600000231000000)
    until = charts.sources[CPU]["cpu0"].data["x"].max()
    cpu0 = samples[(samples["Dimension"] == "CPUUtilization") & (samples["Name"] == "cpu0")]["Timestamp"]
    assert until == cpu0[cpu0 <= 1600000231].max()
    charts.update_data(1600000220000000)
    assert charts.sources[CPU]["cpu0"].data["x"].max() == until, "what was shown stays"
    charts.update_data(1600000320000000)
    assert charts.sources[CPU]["cpu0"].data["x"].max() == cpu0.max(), "the newest file is meant whole"


def test_without_plotly_the_error_has_the_install_command(system, monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(ImportError, match=r"cannot draw a chart: .*\n.*pip install 'tracelake\[smdebug\]'"):
        Heatmap(system)


def test_names_from_a_profile_stay_text(tmp_path):
    hostile = "<img src=x>"
    rows = [("algo-1", "cpu", hostile, hostile, n, n) for n in range(3)]
    root = timeline(tmp_path / "hostile", [250_000, 260_000], name=f"Step:ModeKeys.{hostile}")
    reader = LocalAlgorithmMetricsReader(str(write_profile(root, {"1600000200.algo-1.json": rows})))
    histograms = MetricsHistogram(reader), StepHistogram(reader)
    for histogram in histograms:
        histogram.plot()
    heatmap = Heatmap(reader, select_dimensions=[".*"])
    charts = TimelineCharts(reader, reader)
    charts.plot_detailed_profiler_data([0, 2])
    drawn = [chart.figure for chart in (charts, heatmap, StepTimelineChart(reader), *histograms)]
    for figure in [*drawn, charts.detailed]:
        assert figure.data
        text = json.dumps(json.loads(figure.to_json()), ensure_ascii=False)
        assert "&lt;img" in text
        assert "<img" not in text


@pytest.mark.filterwarnings("default")
def test_a_notebook_shows_a_chart_once_and_updates_it_in_place(copied):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    (last,) = copied.rglob("1600000320.algo-1.json")
    hidden = last.rename(copied.parent / last.name)
    begin = f"""
from tracelake.smdebug.profiler import LocalSystemMetricsReader
from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
charts = TimelineCharts(LocalSystemMetricsReader({str(copied)!r}), None, select_dimensions=["CPU"])
"""
    cells = [
        begin,
        f"import os; _ = os.rename({str(hidden)!r}, {str(last)!r})",
        "charts.update_data(2**60)",
        "charts.plot_detailed_profiler_data([0, 10])",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])

    def shown(cell):
        data = [output["data"] for output in cell["outputs"] if output["output_type"] == "display_data"]
        return [one["application/vnd.plotly.v1+json"] for one in data if "application/vnd.plotly.v1+json" in one]

    client = nbclient.NotebookClient(
        notebook, timeout=HANG_GUARD_S, startup_timeout=HANG_GUARD_S, kernel_name="python3"
    )
    lengths = []
    with client.setup_kernel(env={**os.environ, "PYTHONPATH": str(ROOT / "python")}):
        for place, cell in enumerate(notebook.cells):
            client.execute_cell(cell, place)
            (chart,) = shown(notebook.cells[0])
            lengths.append(chart["data"][0]["y"]["bdata"])
    assert len({len(text) for text in lengths[:2]}) == 1
    assert len(lengths[2]) > len(lengths[1]), "the chart above was drawn anew"
    assert shown(notebook.cells[2]) == []
    assert len(shown(notebook.cells[3])) == 1
