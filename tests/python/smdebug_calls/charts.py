"""Charts: the data of the oracle, and the printed text of the calls."""

import ast
import contextlib
import html
import io
import json
import math
import re

import numpy as np

from tracelake.smdebug.profiler.algorithm_metrics_reader import LocalAlgorithmMetricsReader
from tracelake.smdebug.profiler.analysis.notebook_utils.heatmap import Heatmap
from tracelake.smdebug.profiler.analysis.notebook_utils.metrics_histogram import MetricsHistogram
from tracelake.smdebug.profiler.analysis.notebook_utils.step_histogram import StepHistogram
from tracelake.smdebug.profiler.analysis.notebook_utils.step_timeline_chart import StepTimelineChart
from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
from tracelake.smdebug.profiler.system_metrics_reader import LocalSystemMetricsReader


def readers(path):
    """Returns both readers, and the end of the original's charts, which exclude the newest file."""
    system = LocalSystemMetricsReader(str(path))
    return system, LocalAlgorithmMetricsReader(str(path)), system.get_timestamp_of_latest_available_file() - 1


def captured_output_and_result(call):
    """Returns the printed text and the result of a call."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = call()
    return out.getvalue(), result


def timeline_charts(path, *, whole=False, **options):
    system, framework, end = readers(path)
    return TimelineCharts(system, framework, endtime=None if whole else end, **options)


TOTAL = {"select_dimensions": ["CPU", "GPU"], "select_events": ["total"]}


def timeline_numbers(charts):
    layout = charts.figure.layout
    last = len(charts.figure.data)
    labels = [html.unescape(note.text) for note in layout.annotations] if last else []
    figures = []
    for place, label in enumerate(labels, start=1):
        x, y = (getattr(layout, f"{axis}axis{place if place > 1 else ''}") for axis in "xy")
        title = getattr(layout, f"xaxis{last if last > 1 else ''}").title.text
        figures.append({
            "x_range": [ms / 1000 for ms in x.range],
            "y_range": list(y.range),
            "xlabel": title,
            "ylabel": label,
        })  # fmt: skip
    sources = {
        dimension: {name: {axis: source.data[axis].tolist() for axis in "xy"} for name, source in names.items()}
        for dimension, names in charts.sources.items()
    }
    return {"width": charts.width, "figures": figures, "sources": sources}


def annotations(path):
    _, charts = captured_output_and_result(lambda: timeline_charts(path, whole=True, **TOTAL))
    return captured_output_and_result(lambda: charts.find_time_annotations([100, 110]))[0]


def details(path):
    """Returns the printed text and the bars."""
    _, charts = captured_output_and_result(lambda: timeline_charts(path, whole=True, **TOTAL))
    text, _ = captured_output_and_result(lambda: charts.plot_detailed_profiler_data([100, 110]))
    times = re.search(r"Selected timerange: (\S+) to (\S+)", text)
    if times is None:
        return text, None
    both = {"dataloaders": charts.dataloaders, "framework": charts.framework_events}
    count = sum(len(bars) for bars_by_name in both.values() for bars in bars_by_name.values())
    return text, {"begin": float(times[1]), "end": float(times[2]), "n_events": count, **both}


def heatmap(path, **options):
    system, _, end = readers(path)
    return Heatmap(system, endtime=end, **options)


def heatmap_numbers(chart):
    (drawn,), axis = chart.figure.data, chart.figure.layout.xaxis
    first, last = (edge + 0.5 for edge in axis.range)
    axes = {"x_range": [first, last], "y_range": [0, len(drawn.y)], "xlabel": axis.title.text, "ylabel": None}
    return {"width": chart.width, "axes": axes, "metric": list(drawn.y), "image_rows": np.array(drawn.z).tolist()}


def metrics_histogram(path, **options):
    system, _, end = readers(path)
    chart = MetricsHistogram(system)
    chart.plot(endtime=end, **options)
    return chart


def histogram_text(path, **options):
    end = readers(path)[2]
    text, _ = captured_output_and_result(lambda: metrics_histogram(path, **options))
    return text.replace(f"to timestamp_in_us:{end}\n", f"to timestamp_in_us:{end + 1}\n")


def step_histogram(path, **options):
    chart = StepHistogram(readers(path)[1])
    chart.plot(**options)
    return chart


def bins(source):
    return {name: source.data[name].tolist() for name in ("top", "left", "right")}


NO_WORKERS = {"show_workers": False, "select_metrics": ["Step:ModeKeys", "Forward$", "Backward"]}
ALL = {"show_workers": False}


def both_outputs(name, draw):
    """Returns the calls for the chart and for the text that drawing it prints."""
    return {
        f"fig_{name}.json": lambda path: captured_output_and_result(lambda: draw(path))[1],
        f"fig_{name}.stdout.txt": lambda path: captured_output_and_result(lambda: draw(path))[0],
    }


CALLS = {
    **both_outputs("TimelineCharts__total", lambda path: timeline_charts(path, **TOTAL)),
    **both_outputs("TimelineCharts__all_no_workers", lambda path: timeline_charts(path, **ALL)),
    "fig_TimelineCharts__find_time_annotations_100_110.stdout.txt": annotations,
    "fig_TimelineCharts__detailed_100_110.json": lambda path: details(path)[1],
    "fig_TimelineCharts__plot_detailed_profiler_data_100_110.stdout.txt": lambda path: details(path)[0],
    **both_outputs("Heatmap", heatmap),
    **both_outputs("Heatmap__all", lambda path: heatmap(path, select_dimensions=[".*"])),
    "fig_MetricsHistogram__total.json": lambda path: captured_output_and_result(
        lambda: metrics_histogram(path, **TOTAL)
    )[1],
    "fig_MetricsHistogram__total.stdout.txt": lambda path: histogram_text(path, **TOTAL),
    "fig_MetricsHistogram__all.json": lambda path: captured_output_and_result(lambda: metrics_histogram(path))[1],
    "fig_MetricsHistogram__all.stdout.txt": histogram_text,
    **both_outputs("StepHistogram", step_histogram),
    **both_outputs("StepHistogram__no_workers", lambda path: step_histogram(path, **NO_WORKERS)),
    "fig_StepTimelineChart.json": lambda path: StepTimelineChart(readers(path)[1]),
}


def numbers(chart):
    """Returns the data of a chart in the oracle's form."""
    if isinstance(chart, TimelineCharts):
        return timeline_numbers(chart)
    if isinstance(chart, Heatmap):
        return heatmap_numbers(chart)
    if isinstance(chart, MetricsHistogram):
        return {key: {name: bins(source) for name, source in names.items()} for key, names in chart.sources.items()}
    if isinstance(chart, StepHistogram):
        return {key: bins(source) for key, source in chart.sources.items()}
    if isinstance(chart, StepTimelineChart):
        axes = chart.figure.layout
        labels = {"xlabel": axes.xaxis.title.text, "ylabel": axes.yaxis.title.text}
        data = {name: column.tolist() for name, column in chart.source.data.items() if name != "node"}
        return {"axes": {"x_range": list(axes.xaxis.range), "y_range": [None, None], **labels}, "source": data}
    return chart


def close(ours, theirs, tolerance=1e-12):
    """Checks equality except for the rounding of sums."""
    if isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(close(ours[key], theirs[key], tolerance) for key in theirs)
    if isinstance(theirs, list):
        return len(ours) == len(theirs) and all(close(a, b, tolerance) for a, b in zip(ours, theirs, strict=True))
    if isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=0, abs_tol=max(abs(theirs), 1) * tolerance)
    return ours == theirs


def lines(text):
    """Normalizes printed lines: sets have no order, and names can repeat."""
    result = []
    for line in text.splitlines():
        match = re.fullmatch(r"(filtered_\w+):(set\(\)|\{.*\})", line)
        result.append((match[1], ast.literal_eval(match[2].replace("set()", "[]"))) if match else line)
    return [(line[0], set(line[1])) if isinstance(line, tuple) else line for line in result]


def compare(file, expected, result):
    """Checks the whole result exactly; times to 2 us, the precision of their sums."""
    del file
    if expected.suffix == ".txt":
        assert lines(result) == lines(expected.read_text())
    else:
        assert close(numbers(result), json.loads(expected.read_text()))


def corrected(file, expected, result):
    """Returns the original's result without its fault."""
    text = expected.read_text()
    if file.startswith("fig_TimelineCharts__find"):
        return same_annotations(result, text)
    if file.endswith(".txt"):
        return same_but_for_earlier_calls(result, text)
    theirs = json.loads(text)
    if isinstance(result, TimelineCharts):
        return same_timelines(numbers(result), theirs)
    if isinstance(result, MetricsHistogram):
        return same_up_to_98(result, theirs)
    if isinstance(result, StepHistogram):
        return same_without_the_last(result, theirs)
    return same_without_the_first(numbers(result), theirs)


def same_annotations(ours, theirs):
    """Checks the same names in the same order; ms are a million times larger."""
    pattern = r"Spent (\S+) ms (.*)"
    both = [[re.fullmatch(pattern, line) or line for line in text.splitlines()] for text in (ours, theirs)]
    assert both[0][0] == both[1][0]
    for our, their in zip(*(some[1:] for some in both), strict=True):
        assert our[2] == their[2]
        assert math.isclose(float(our[1]), float(their[1]) * 1e6, rel_tol=1e-12)


def same_but_for_earlier_calls(ours, theirs):
    """Excludes the phases of an earlier call, which the original lists as well."""
    for our, their in zip(ours.splitlines(), theirs.splitlines(), strict=True):
        if our.startswith(("Available", "Filtered")):
            (ours_names, their_names) = (ast.literal_eval(line.split(":", 1)[1].strip()) for line in (our, their))
            assert ours_names == [name for name in their_names if "-nodeid:" not in name]
        else:
            assert our == their


def same_timelines(ours, theirs):
    """Checks series exactly; the visible part starts one sample earlier, and only percentages have no margin."""
    assert ours["width"] == theirs["width"]
    assert close(ours["sources"], theirs["sources"])
    assert {one["xlabel"] for one in ours["figures"]} == {"time (UTC)"}
    known = {one["ylabel"]: one for one in theirs["figures"]}
    assert known.keys() == {one["ylabel"] for one in ours["figures"]}
    for one in ours["figures"]:
        their = known[one["ylabel"]]
        assert 0 < their["x_range"][0] - one["x_range"][0] < 0.6 or len(known) > 3
        low, high = one["y_range"]
        assert low <= their["y_range"][0] <= their["y_range"][1] <= high


def same_up_to_98(chart, theirs):
    """Checks bins below 96 exactly; the original's next bin includes 98 as well."""
    for key, names in theirs.items():
        for name, their in names.items():
            our, values = chart.sources[key][name].data, chart.system_metrics[key][name]
            assert our["top"].sum() == len(values)
            if our["right"][-1] != 100:  # not a percentage: the original counts almost no value
                continue
            assert our["top"][:48].tolist() == their["top"][:48]
            assert our["top"][48] + np.count_nonzero(values == 98) == their["top"][48]
            assert (our["left"].tolist(), our["right"][-1]) == ([*their["left"], 98], 100)


def same_without_the_last(chart, theirs):
    """Checks the bins over the same durations without the last one, for the requested phases."""
    theirs = {key: their for key, their in theirs.items() if ("-nodeid:" in key) == chart.show_workers}
    assert chart.sources.keys() == theirs.keys()
    for key, their in theirs.items():
        values = chart.step_metrics[key][:-1]
        high = np.median(values) + 2 * np.std(values)
        edges = np.arange(values.min(), high, (high - values.min()) / 50.0)
        assert np.histogram(values, edges)[0].tolist() == their["top"]
        assert close(edges[:-1].tolist(), their["left"])


def same_without_the_first(ours, theirs):
    """Compares from the second step on, with corrected names."""
    our, their = ours["source"], theirs["source"]
    first = their["y"].index(our["y"][1]) - 1  # the original omits the first event
    assert first == -1
    assert their["y"] == our["y"][1:]
    assert their["step"] == our["step"][1:]
    assert np.allclose(their["x"], np.array(our["x"][1:]) - our["x"][1], rtol=0, atol=1e-6)
    assert sorted(their["metric"]) == sorted(our["metric"])
    assert (ours["axes"]["xlabel"], ours["axes"]["ylabel"]) == (
        "time since the first step began (s)",
        "duration of the step (s)",
    )
