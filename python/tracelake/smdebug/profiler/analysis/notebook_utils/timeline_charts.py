"""System metrics over time, one line chart per metric, and what the framework did meanwhile."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from tracelake.figures import show
from tracelake.smdebug.profiler.analysis.notebook_utils import _detail, _events, _samples, _sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

__all__ = ["TimelineCharts"]

PANELS = 60  # a page of more cannot be looked at
POINTS = 240_000  # of all panels together, in each half of a chart: what is visible at first, and what is not
MOST = 8_000  # of one panel
SPENT = """
select case when step is null then name else name || '_' || step end as key, sum(dur) / 1e6 as ms
from framework
group by key
order by min(place)
"""


class TimelineCharts(_sheet.Chart):
    """Draws the system metrics of a job over time: a line chart per metric and node, and one for their mean, "total".

    In a notebook the charts are shown at once. Drag along a chart to enlarge a part; the hover text gives the index
    of a sample, which `find_time_annotations` and `plot_detailed_profiler_data` take.

    Args:
        system_metrics_reader: Reader of the system metrics.
        framework_metrics_reader: Reader of the framework metrics; without it they are those of the same profile.
        starttime: First time, us since the Unix epoch.
        endtime: Last time; without it, or with the time of the newest file, everything that was recorded.
        select_dimensions: Regular expressions, one of which is found in the dimension (`CPU`, `GPU`).
        select_events: Regular expressions, one of which is found in the name (`cpu0`, `total`).
        x: How many samples are visible at first, the last ones; the others are a drag away.
        show_workers: Whether every node has charts of its own.

    Attributes:
        figure: The Plotly figure.
        system_metrics: By dimension and name, an array with a row per sample: time (s since the Unix epoch), value.
        sources: The same for what is drawn: `sources[dimension][name].data["x"]` and `["y"]`.
        filtered_dimensions: Dimensions that are drawn, if they have one of the filtered events.
        filtered_events: Names that are drawn.
        width: How many samples, less one, are visible at first.

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
        system_metrics_reader: Any,  # noqa: ANN401 - whatever has a profile
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
        self._read(_samples.bound(self._profile, "system", endtime))
        self.create_plot()

    def _read(self, until: float | None) -> None:
        series = _samples.read(self._profile, self._start, until)
        self.last_timestamp_system_metrics = _samples.end_us(series) if until is None else until
        self._count = sum(len(one.time) for one in series)
        groups = _samples.grouped(series, show_workers=self.show_workers)
        self.system_metrics: dict[str, dict[str, np.ndarray]] = {
            key: {name: _in_time(parts) for name, parts in names.items()} for key, names in groups.items()
        }
        self._looks = {(key, name): parts[0].look for key, names in groups.items() for name, parts in names.items()}
        available = dict.fromkeys(name for names in groups.values() for name in names)
        self.filtered_dimensions, self.filtered_events = _samples.selected(
            self.select_dimensions, self.select_events, groups, available
        )
        cpus = [len(names["total"]) for names in self._cpus()]
        self.width = max(min(self._x, min(cpus) - 1), 1) if cpus else self._x

    def _cpus(self) -> list[dict[str, np.ndarray]]:
        return [names for key, names in self.system_metrics.items() if key.startswith("CPUUtilization")]

    def create_plot(self) -> None:
        """Draws the charts, and shows them where the last ones stood."""
        self.sources: dict[str, dict[str, _sheet.Source]] = {}
        for dimension, names in self.system_metrics.items():
            if dimension in self.filtered_dimensions:
                shown = {name: metric for name, metric in names.items() if name in self.filtered_events}
                sources = {name: _sheet.Source(x=metric[:, 0], y=metric[:, 1]) for name, metric in shown.items()}
                self.sources[dimension] = sources
        drawn = [(dimension, name) for dimension, names in self.sources.items() for name in names]
        limit = min(POINTS // max(len(drawn[:PANELS]), 1), MOST)
        panels = [self._panel(dimension, name, limit) for dimension, name in drawn[:PANELS]]
        longest = max(
            (len(source.data["x"]) for names in self.sources.values() for source in names.values()), default=0
        )
        notes = ["the text on hover gives the index of a sample, of which find_time_annotations takes two"]
        if longest > self.width + 1:
            notes.append(
                f"visible at first: the last {self.width + 1:,} of {longest:,} samples, the others to their left"
            )
        if longest > limit:
            notes.append("least and greatest sample of each stretch: there are more samples than a screen has pixels")
        if len(drawn) > PANELS:
            notes.append(f"{PANELS} of {len(drawn)} metrics are drawn: select_dimensions, select_events choose")
        self.draw("System metrics", notes, panels, height=120, shared=True)

    def _panel(self, dimension: str, name: str, limit: int) -> _sheet.Panel:
        data, look = self.sources[dimension][name].data, self._looks[dimension, name]
        x, y = data["x"], data["y"]
        before = max(len(x) - 1 - self.width, 0)
        kept = np.concatenate([_sheet.thinned(y[:before], limit), before + _sheet.thinned(y[before:], limit)])
        label, unit = f"{dimension}_{name}", _sheet.UNITS.get(look.unit, look.unit)
        trace: dict[str, Any] = {
            "type": "scatter",
            "mode": "lines",
            "name": escape(label),
            "x": x[kept] * 1e3,  # ms, which is what a date axis counts in
            "y": y[kept],
            "customdata": kept,
            "line": {"color": _sheet.of_resource(look.resource), "width": 1.2},
            "hovertemplate": f"index %{{customdata}}<br>%{{x|%H:%M:%S.%L}}<br>%{{y:,.2f}} {unit}<extra></extra>",
        }
        time = _sheet.axis("time (UTC)", type="date", range=[x[before] * 1e3, x[-1] * 1e3], nticks=8)
        return _sheet.Panel(label, [trace], time, _sheet.axis(unit, range=_span(dimension, y[before:]), nticks=5))

    def update_data(self, current_timestamp: float) -> None:
        """Reads what was recorded since, and draws it.

        Args:
            current_timestamp: Last time, us since the Unix epoch; with that of the newest file, everything.

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
        before, shown = self._count, self.last_timestamp_system_metrics
        self._profile.refresh()
        self._read(_samples.bound(self._profile, "system", current_timestamp, shown))
        text = f"from timestamp_in_us:{shown} to timestamp_in_us:{current_timestamp}"
        print(f"Found {self._count - before} new system metrics events {text}")
        self.create_plot()

    def _range(self, indexes: Sequence[int], name: str) -> tuple[float, float] | None:
        """Prints and returns the times (s) of the first and last index; an index beyond a series counts as its end."""
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
        """Prints how much time the framework spent in what, between two samples: the sum over all events of a name.

        An event counts whole if it overlaps the range. Durations of events that ran at the same time add up.

        Args:
            indexes: Indices of samples, as the hover text gives them; the least and the greatest count.

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
        spent = _events.asked(self._framework, SPENT, begin * 1e6, end * 1e6)
        for name, ms in zip(spent["key"], spent["ms"], strict=True):
            print(f"Spent {ms} ms (cumulative time) in {name}")

    def plot_detailed_profiler_data(self, indexes: Sequence[int]) -> None:
        """Draws what data loaders and framework did between two samples, every event as a bar.

        Leaves the bars behind: `dataloaders` and `framework_events` have by name, or by phase, rows of start (whole ms
        since the Unix epoch), end, and the line it is drawn on; `detailed` is the figure.

        Args:
            indexes: Indices of samples, as the hover text gives them; the least and the greatest count.

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
        loader, framework = (_detail.bars(self._framework, begin, end, loader=flag) for flag in (True, False))
        self.dataloaders, self.framework_events = _detail.rows(loader, "name"), _detail.rows(framework, "phase")
        self.detailed: go.Figure = _detail.figure(loader, framework, begin, end)
        show(self.detailed)


def _in_time(parts: Sequence[_samples.Series]) -> np.ndarray:
    """Time and value of a series that may come from several nodes, a row per sample, in the order of time."""
    metric = np.column_stack(
        [np.concatenate([one.time for one in parts]), np.concatenate([one.value for one in parts])]
    )
    return metric[metric[:, 0].argsort(kind="stable")]


def _span(dimension: str, values: np.ndarray) -> list[float]:
    """Range of the y axis: shares up to 100 % and a little more, all else from least to greatest."""
    known = values[~np.isnan(values)]
    if "Utilization" in dimension or "Memory" in dimension or len(known) == 0:
        return [0.0, 102.0]
    low, high = float(known.min()), float(known.max())
    margin = (high - low) * 0.04 or max(abs(high), 1.0) * 0.04
    return [low - margin, high + margin]
