"""System metrics as a heatmap: a row per metric, a column per sample."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _plot, _samples

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Heatmap"]

VISIBLE = 1000  # samples that are visible at first: the latest ones
BINS = 1000  # maximum number of columns for earlier samples; each column is the mean of a segment
ROWS = 400  # maximum number of rows that are drawn
ROW = 13  # height of a row in pixels; labels of smaller rows would overlap
RELATIVE = {"Algorithm", "Platform", ""}  # dimensions that are not percentages: shown in percent of their maximum


class Heatmap(_plot.Chart):
    """Draws the load of each core and GPU as a row of colors, with the means of each node and of all nodes below.

    In a notebook, the heatmap is shown immediately.

    Args:
        metrics_reader: Reader of the system metrics.
        select_metrics: Not used, as in smdebug.
        starttime: First time, us since the Unix epoch.
        endtime: Last time. The default, and the time of the newest file, mean no limit.
        select_dimensions: Regular expressions; a dimension is shown if one of them matches.
        select_events: Regular expressions; a name (`cpu0`, `total`) is shown if one of them matches.
        plot_height: Height in pixels; it grows if the rows need more.
        show_workers: Not used: each node has its own rows.

    Attributes:
        figure: The Plotly figure.
        system_metrics: Values by node, dimension and name: percentages as recorded; for other dimensions, percent of
            the maximum of the series. Node `node_total` is the mean over all nodes.
        source: `source.data` has two lists: `metric`, the name of each row, and `image`, its values.
        width: Number of columns, the length of the longest row.

    Example:
        >>> from tracelake.smdebug.profiler.system_metrics_reader import LocalSystemMetricsReader
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils.heatmap import Heatmap
        >>> reader = LocalSystemMetricsReader(str(profile))
        >>> heatmap = Heatmap(reader, select_dimensions=["CPU"], select_events=["total"])
        select events:['total']
        select dimensions:['CPU']
        filtered_events:{'total'}
        filtered_dimensions:{'CPUUtilization'}
        >>> heatmap.source.data["metric"]
        ['CPUUtilization_total_algo-1', 'CPUUtilization_total_node_total']
    """

    def __init__(
        self,
        metrics_reader: Any,  # noqa: ANN401 - any object with a profile
        select_metrics: Sequence[str] = (),
        starttime: float = 0,
        endtime: float | None = None,
        select_dimensions: Sequence[str] = (".*CPU", ".*GPU"),
        select_events: Sequence[str] = (".*",),
        plot_height: int = 350,
        show_workers: bool = True,
    ) -> None:
        """Reads the metrics and shows them."""
        del select_metrics
        self.metrics_reader = metrics_reader
        self.select_dimensions = list(select_dimensions)
        self.select_events = list(select_events)
        self.plot_height = plot_height
        self.show_workers = show_workers
        self._start = starttime
        self._read(_samples.chart_end(metrics_reader.profile, "system", endtime))
        self.create_plot()

    def _read(self, end: float | None) -> None:
        """Reads the metrics until `end` (us; None: no limit), adds their means, and selects the names to draw."""
        series = _samples.read_series(self.metrics_reader.profile, self._start, end)
        self.last_timestamp_system_metrics = _samples.last_time_us(series) if end is None else end
        series = [metric._replace(value=_percent(metric)) for metric in series]
        series += _samples.mean_series(series)
        self.width = max((len(metric.value) for metric in series), default=0)
        self.system_metrics: dict[str, dict[str, dict[str, np.ndarray]]] = {}
        for metric in series:
            node_metrics = self.system_metrics.setdefault(metric.node, {})
            node_metrics.setdefault(metric.dimension, {})[metric.name] = metric.value
        dimensions = dict.fromkeys(metric.dimension for metric in series)
        names = dict.fromkeys(metric.name for metric in series)
        nodes = list(self.system_metrics.values())
        self.system_metrics["node_total"] = {
            dimension: {
                "total": _samples.mean_by_position([node[dimension]["total"] for node in nodes if dimension in node])
            }
            for dimension in dimensions
        }
        self.filtered_dimensions, self.filtered_events = _samples.select_names(
            self.select_dimensions, self.select_events, dimensions, names
        )

    def create_plot(self) -> None:
        """Draws the heatmap, and shows it in place of the previous one."""
        rows = {
            f"{dimension}_{name}_{node}": values
            for node, dimensions in self.system_metrics.items()
            for dimension, names in dimensions.items()
            if dimension in self.filtered_dimensions
            for name, values in names.items()
            if name in self.filtered_events
        }
        self.source = _plot.Source(metric=list(rows), image=list(rows.values()))
        first = max(self.width - VISIBLE, 0)
        notes = ["the text on hover gives the index of a sample; dark is idle, bright is busy"]
        if first:
            notes.append(f"visible at first: the last {VISIBLE:,} of {self.width:,} samples, the others to their left")
        if first > BINS:
            notes.append("of those the mean of each stretch: there are more samples than a screen has pixels")
        if len(rows) > ROWS:
            notes.append(f"{ROWS} of {len(rows)} metrics are drawn: select_dimensions, select_events choose")
        height = max(self.plot_height - 106, ROW * min(len(rows), ROWS))
        panels = [self._panel(first)] if rows and self.width else []
        self.draw("Load of cores and devices", notes, panels, height=height)

    def _panel(self, first: int) -> _plot.Panel:
        """Returns the heatmap: a column per sample from index `first` on, and means of segments before it."""
        bins = min(first, BINS)
        starts = np.arange(bins) * first // max(bins, 1)
        names = [escape(name) for name in self.source.data["metric"][:ROWS]]
        z = np.full((len(names), bins + self.width - first), np.nan)
        for row, values in zip(z, self.source.data["image"], strict=False):  # metrics after `ROWS` are not drawn
            row[:bins] = _means(values[:first], starts)
            row[bins : bins + len(values) - first] = values[first:]
        trace: dict[str, Any] = {
            "type": "heatmap",
            "x": np.concatenate([starts, np.arange(first, self.width + 1)]) - 0.5,  # edges of the columns
            "y": names,
            "z": z,
            "zmin": 0,
            "zmax": 100,
            "colorscale": _plot.HEAT,
            "colorbar": {"title": {"text": "%"}, "thickness": 12, "outlinewidth": 0, "len": 1},
            "hovertemplate": "%{y}<br>index %{x:.0f}<br>%{z:.2f} %<extra></extra>",
        }
        x_axis = _plot.axis("Indices", range=[first - 0.5, self.width - 0.5], showgrid=False)
        y_axis = _plot.axis("", type="category", dtick=1, tickfont={"size": 9}, showgrid=False)
        return _plot.Panel("", [trace], x_axis, y_axis)

    def update_data(self, current_timestamp: float) -> None:
        """Reads new data, and draws it.

        Args:
            current_timestamp: Last time, us since the Unix epoch; the time of the newest file means no limit.
        """
        profile = self.metrics_reader.profile
        profile.refresh()
        self._read(_samples.chart_end(profile, "system", current_timestamp, self.last_timestamp_system_metrics))
        self.create_plot()


def _percent(series: _samples.Series) -> np.ndarray:
    """Returns the values in percent; for dimensions that are not percentages, in percent of the maximum."""
    largest = np.nanmax(series.value) if series.dimension in RELATIVE and not np.isnan(series.value).all() else 0
    return series.value / largest * 100 if largest != 0 else series.value


def _means(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Returns the mean of each segment that begins at one of these indices; NaN for a segment without values."""
    known = ~np.isnan(values)
    bins = np.searchsorted(starts, np.arange(len(values)), side="right") - 1
    total = np.bincount(bins[known], values[known], minlength=len(starts))
    count = np.bincount(bins[known], minlength=len(starts))
    return np.divide(total, count, out=np.full(len(starts), np.nan), where=count > 0)
