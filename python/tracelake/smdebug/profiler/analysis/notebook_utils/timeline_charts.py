"""System metrics over time, one line chart per metric, and the framework events of a selected time range."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from tracelake.figures import show
from tracelake.smdebug.profiler.analysis.notebook_utils import _detail, _events, _plot, _samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

__all__ = ["TimelineCharts"]

PANELS = 60  # more panels would make the page unreadable
POINTS = 240_000  # maximum of all panels together, for each half of a chart: the visible part and the hidden part
PANEL_POINTS = 8_000  # maximum of one panel
TIME_BY_NAME = """
select case when step is null then name else name || '_' || step end as key, sum(dur) / 1e6 as ms
from framework
group by key
order by min(place)
"""


class TimelineCharts(_samples.MetricsChart):
    """Draws the system metrics of a job over time: a line chart per metric and node, and one for their mean, "total".

    In a notebook, the charts are shown immediately. Drag along a chart to enlarge a part. The hover text has the index
    of a sample, for `find_time_annotations` and `plot_detailed_profiler_data`.

    Args:
        system_metrics_reader: Reader of the system metrics.
        framework_metrics_reader: Reader of the framework metrics. The default is the same profile.
        starttime: First time, us since the Unix epoch.
        endtime: Last time. The default, and the time of the newest file, mean no limit.
        select_dimensions: Regular expressions; a dimension (`CPU`, `GPU`) is shown if one of them matches.
        select_events: Regular expressions; a name (`cpu0`, `total`) is shown if one of them matches.
        x: Number of samples that are visible at first, the last ones; drag the axis to see the others.
        show_workers: Whether each node has its own charts.

    Attributes:
        figure: The Plotly figure.
        system_metrics: By dimension and name, an array with a row per sample: time (s since the Unix epoch), value.
        sources: The drawn data: `sources[dimension][name].data["x"]` and `["y"]`.
        filtered_dimensions: Dimensions that are drawn, if they have one of the filtered events.
        filtered_events: Names that are drawn.
        width: Number of samples that are visible at first, minus one.

    Example:
        >>> from tracelake.smdebug.profiler.system_metrics_reader import LocalSystemMetricsReader
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
        >>> charts = TimelineCharts(
        ...     LocalSystemMetricsReader(str(profile)), None, select_dimensions=["CPU"], select_events=["total"]
        ... )
        select events:['total']
        select dimensions:['CPU']
        filtered_events:{'total'}
        filtered_dimensions:{'CPUUtilization-nodeid:algo-1'}
        >>> charts.sources["CPUUtilization-nodeid:algo-1"]["total"]
        Source(x: 133, y: 133)
    """

    def __init__(
        self,
        system_metrics_reader: Any,  # noqa: ANN401 - any object with a profile
        framework_metrics_reader: Any = None,  # noqa: ANN401 - the same
        starttime: float = 0,
        endtime: float | None = None,
        select_dimensions: Sequence[str] = (".*",),
        select_events: Sequence[str] = (".*",),
        x: int = 1000,
        show_workers: bool = True,
    ) -> None:
        """Reads the metrics and shows them."""
        self.system_metrics_reader = system_metrics_reader
        self.framework_metrics_reader = framework_metrics_reader
        self.select_dimensions = list(select_dimensions)
        self.select_events = list(select_events)
        self.show_workers = show_workers
        self._profile = system_metrics_reader.profile
        self._framework = (framework_metrics_reader or system_metrics_reader).profile
        self._start = starttime
        self._x = x
        self._read(_samples.chart_end(self._profile, "system", endtime))
        self.create_plot()

    def _read(self, end: float | None) -> None:
        series = _samples.read_series(self._profile, self._start, end)
        self.last_timestamp_system_metrics = _samples.last_time_us(series) if end is None else end
        self._count = sum(len(one.time) for one in series)
        groups = self._group(series)
        self.system_metrics: dict[str, dict[str, np.ndarray]] = {
            key: {name: _merge_by_time(parts) for name, parts in names.items()} for key, names in groups.items()
        }
        cpus = [len(names["total"]) for names in self._cpus()]
        self.width = max(min(self._x, min(cpus) - 1), 1) if cpus else self._x

    def _cpus(self) -> list[dict[str, np.ndarray]]:
        return [names for key, names in self.system_metrics.items() if key.startswith("CPUUtilization")]

    def create_plot(self) -> None:
        """Draws the charts, and shows them in place of the previous ones."""
        self.sources: dict[str, dict[str, _plot.Source]] = {
            dimension: {name: _plot.Source(x=metric[:, 0], y=metric[:, 1]) for name, metric in names.items()}
            for dimension, names in self._filter(self.system_metrics).items()
        }
        drawn = [(dimension, name) for dimension, names in self.sources.items() for name in names]
        limit = min(POINTS // max(len(drawn[:PANELS]), 1), PANEL_POINTS)
        panels = [self._panel(dimension, name, limit) for dimension, name in drawn[:PANELS]]
        longest = max(
            (len(source.data["x"]) for names in self.sources.values() for source in names.values()), default=0
        )
        notes = ["the text on hover gives the index of a sample, of which find_time_annotations takes two"]
        if longest > self.width + 1:
            visible = self.width + 1
            notes.append(f"visible at first: the last {visible:,} of {longest:,} samples, the others to their left")
        if longest > limit:
            notes.append("minimum and maximum of each segment: there are more samples than a screen has pixels")
        if len(drawn) > PANELS:
            notes.append(f"{PANELS} of {len(drawn)} metrics are drawn: select_dimensions, select_events choose")
        self.draw("System metrics", notes, panels, height=120, shared=True)

    def _panel(self, dimension: str, name: str, limit: int) -> _plot.Panel:
        data, style = self.sources[dimension][name].data, self._styles[dimension, name]
        x, y = data["x"], data["y"]
        hidden = max(len(x) - 1 - self.width, 0)
        points = np.concatenate([_plot.thin(y[:hidden], limit), hidden + _plot.thin(y[hidden:], limit)])
        label, unit = f"{dimension}_{name}", _plot.UNITS.get(style.unit, style.unit)
        trace: dict[str, Any] = {
            "type": "scatter",
            "mode": "lines",
            "name": escape(label),
            "x": x[points] * 1e3,  # a date axis counts in ms
            "y": y[points],
            "customdata": points,
            "line": {"color": _plot.resource_color(style.resource), "width": 1.2},
            "hovertemplate": f"index %{{customdata}}<br>%{{x|%H:%M:%S.%L}}<br>%{{y:,.2f}} {unit}<extra></extra>",
        }
        time = _plot.axis("time (UTC)", type="date", range=[x[hidden] * 1e3, x[-1] * 1e3], nticks=8)
        return _plot.Panel(label, [trace], time, _plot.axis(unit, range=_axis_range(dimension, y[hidden:]), nticks=5))

    def update_data(self, current_timestamp: float) -> None:
        """Reads new data, and draws it.

        Args:
            current_timestamp: Last time, us since the Unix epoch; the time of the newest file means no limit.

        Example:
            >>> from tracelake.smdebug.profiler.system_metrics_reader import LocalSystemMetricsReader
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
            >>> reader = LocalSystemMetricsReader(str(profile))
            >>> charts = TimelineCharts(reader, None, select_dimensions=["CPU"], select_events=["total"])
            select events:['total']
            select dimensions:['CPU']
            filtered_events:{'total'}
            filtered_dimensions:{'CPUUtilization-nodeid:algo-1'}
            >>> charts.update_data(reader.get_timestamp_of_latest_available_file())
            select events:['total']
            select dimensions:['CPU']
            filtered_events:{'total'}
            filtered_dimensions:{'CPUUtilization-nodeid:algo-1'}
            Found 0 new system metrics events from timestamp_in_us:1600000332512370 to timestamp_in_us:1600000320000000
        """
        previous_count, previous_end = self._count, self.last_timestamp_system_metrics
        self._profile.refresh()
        self._read(_samples.chart_end(self._profile, "system", current_timestamp, previous_end))
        text = f"from timestamp_in_us:{previous_end} to timestamp_in_us:{current_timestamp}"
        print(f"Found {self._count - previous_count} new system metrics events {text}")
        self.create_plot()

    def _range(self, indexes: Sequence[int], name: str) -> tuple[float, float] | None:
        """Prints and returns the times (s) of the first and the last index; an index beyond the end means the end."""
        if len(indexes) == 0:
            print("No selection made")
            return None
        nodes = self._cpus() or list(self.system_metrics.values())
        if not nodes:
            print("No system metrics were recorded, so there is no time range to select")
            return None
        first, last = int(min(indexes)), int(max(indexes))
        series = [names.get(name, names["total"])[:, 0] for names in nodes]
        time = next((one for one in series if last < len(one)), max(series, key=len))
        begin, end = (float(time[min(index, len(time) - 1)]) for index in (first, last))
        print(f"Selected timerange: {begin} to {end}")
        return begin, end

    def find_time_annotations(self, indexes: Sequence[int]) -> None:
        """Prints the total duration of the framework events between two samples, by name.

        An event that overlaps the range counts with its whole duration. Durations of concurrent events add up.

        Args:
            indexes: Indices of samples, from the hover text; only the minimum and the maximum are used.

        Example:
            >>> from tracelake.smdebug.profiler.system_metrics_reader import LocalSystemMetricsReader
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
            >>> reader = LocalSystemMetricsReader(str(profile))
            >>> charts = TimelineCharts(reader, None, select_dimensions=["CPU"])  # doctest: +ELLIPSIS
            select events:['.*']
            ...
            >>> charts.find_time_annotations([])
            No selection made
        """
        selected = self._range(indexes, "total")
        if selected is None:
            return
        begin, end = selected
        spent = _events.query_events(self._framework, TIME_BY_NAME, begin * 1e6, end * 1e6)
        for name, ms in zip(spent["key"], spent["ms"], strict=True):
            print(f"Spent {ms} ms (cumulative time) in {name}")

    def plot_detailed_profiler_data(self, indexes: Sequence[int]) -> None:
        """Draws the events of data loaders and of the framework between two samples, each as a bar.

        Sets `dataloaders` (by name) and `framework_events` (by phase) to rows of start, end (whole ms since the Unix
        epoch) and line of each bar, and `detailed` to the figure.

        Args:
            indexes: Indices of samples, from the hover text; only the minimum and the maximum are used.

        Example:
            >>> from tracelake.smdebug.profiler.system_metrics_reader import LocalSystemMetricsReader
            >>> from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
            >>> reader = LocalSystemMetricsReader(str(profile))
            >>> charts = TimelineCharts(reader, None, select_dimensions=["CPU"])  # doctest: +ELLIPSIS
            select events:['.*']
            ...
            >>> charts.plot_detailed_profiler_data([100, 110])  # doctest: +ELLIPSIS
            Selected timerange: ...
            >>> sorted(charts.dataloaders)
            ['DataLoaderIter::GetNext', 'DataLoaderWorker']
        """
        selected = self._range(indexes, "cpu0")
        if selected is None:
            return
        begin, end = selected
        loader, framework = (_detail.read_bars(self._framework, begin, end, loader=flag) for flag in (True, False))
        self.dataloaders, self.framework_events = (
            _detail.group_bars(loader, "name"),
            _detail.group_bars(framework, "phase"),
        )
        self.detailed: go.Figure = _detail.figure(loader, framework, begin, end)
        show(self.detailed)


def _merge_by_time(parts: Sequence[_samples.Series]) -> np.ndarray:
    """Merges the series of several nodes: time and value, a row per sample, sorted by time."""
    metric = np.column_stack(
        [np.concatenate([one.time for one in parts]), np.concatenate([one.value for one in parts])]
    )
    return metric[metric[:, 0].argsort(kind="stable")]


def _axis_range(dimension: str, values: np.ndarray) -> list[float]:
    """Returns the range of the y axis: 0 to a little above 100 % for shares, else minimum to maximum with a margin."""
    known = values[~np.isnan(values)]
    if "Utilization" in dimension or "Memory" in dimension or len(known) == 0:
        return [0.0, 102.0]
    low, high = float(known.min()), float(known.max())
    margin = (high - low) * 0.04 or max(abs(high), 1.0) * 0.04
    return [low - margin, high + margin]
