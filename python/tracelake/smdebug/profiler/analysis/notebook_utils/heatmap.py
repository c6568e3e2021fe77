"""System metrics as a heatmap: a row per metric, a column per sample."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _samples, _sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Heatmap"]

VISIBLE = 1000  # columns at first, the last ones
BINS = 1000  # columns before them
ROWS = 400
ROW = 13  # pixels, so that labels do not overlap
RELATIVE = {"Algorithm", "Platform", ""}  # dimensions that are no percentages


class Heatmap(_sheet.Chart):
    """Draws the load of every core and GPU as a row of colors, below them the mean of each node and of all nodes.

    In a notebook the heatmap is shown at once.

    Args:
        metrics_reader: Reader of the system metrics.
        select_metrics: Not used; the original does not either.
        starttime: First time, us since the Unix epoch.
        endtime: Last time; without it, or with the time of the newest file, everything that was recorded.
        select_dimensions: Regular expressions, one of which is found in the dimension.
        select_events: Regular expressions, one of which is found in the name (`cpu0`, `total`).
        plot_height: Height in pixels; more if the rows need it.
        show_workers: Not used either: every node has rows of its own.

    Attributes:
        figure: The Plotly figure.
        system_metrics: By node, dimension and name the values: percent as recorded, for dimensions that are no
            percentages percent of the greatest value of the series. Node `node_total` is the mean over all nodes.
        source: `source.data` has lists: `metric`, the name of each row, and `image`, its values.
        width: Number of columns, which is the length of the longest row.

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
        metrics_reader: Any,  # noqa: ANN401 - whatever has a profile
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
        self._read(_samples.bound(metrics_reader.profile, "system", endtime))
        self.create_plot()

    def _read(self, until: float | None) -> None:
        series = _samples.read(self.metrics_reader.profile, self._start, until)
        self.last_timestamp_system_metrics = _samples.end_us(series) if until is None else until
        series = [one._replace(value=_percent(one)) for one in series]
        series += _samples.totals(series)
        self.width = max((len(one.value) for one in series), default=0)
        self.system_metrics: dict[str, dict[str, dict[str, np.ndarray]]] = {}
        for one in series:
            self.system_metrics.setdefault(one.node, {}).setdefault(one.dimension, {})[one.name] = one.value
        dimensions, names = (
            dict.fromkeys(words) for words in ([s.dimension for s in series], [s.name for s in series])
        )
        nodes = list(self.system_metrics.values())
        self.system_metrics["node_total"] = {
            dimension: {"total": _samples.mean([node[dimension]["total"] for node in nodes if dimension in node])}
            for dimension in dimensions
        }
        self.filtered_dimensions, self.filtered_events = _samples.selected(
            self.select_dimensions, self.select_events, dimensions, names
        )

    def create_plot(self) -> None:
        """Draws the heatmap, and shows it where the last one stood."""
        rows = {
            f"{dimension}_{name}_{node}": values
            for node, dimensions in self.system_metrics.items()
            for dimension, names in dimensions.items()
            if dimension in self.filtered_dimensions
            for name, values in names.items()
            if name in self.filtered_events
        }
        self.source = _sheet.Source(metric=list(rows), image=list(rows.values()))
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

    def _panel(self, first: int) -> _sheet.Panel:
        bins = min(first, BINS)
        starts = np.arange(bins) * first // max(bins, 1)
        names = [escape(name) for name in self.source.data["metric"][:ROWS]]
        z = np.full((len(names), bins + self.width - first), np.nan)
        for row, values in zip(z, self.source.data["image"], strict=False):  # those after the last row are not drawn
            row[:bins] = _means(values[:first], starts)
            row[bins : bins + len(values) - first] = values[first:]
        trace: dict[str, Any] = {
            "type": "heatmap",
            "x": np.concatenate([starts, np.arange(first, self.width + 1)]) - 0.5,  # edges of the columns
            "y": names,
            "z": z,
            "zmin": 0,
            "zmax": 100,
            "colorscale": _sheet.HEAT,
            "colorbar": {"title": {"text": "%"}, "thickness": 12, "outlinewidth": 0, "len": 1},
            "hovertemplate": "%{y}<br>index %{x:.0f}<br>%{z:.2f} %<extra></extra>",
        }
        index = _sheet.axis("Indices", range=[first - 0.5, self.width - 0.5], showgrid=False)
        metric = _sheet.axis("", type="category", dtick=1, tickfont={"size": 9}, showgrid=False)
        return _sheet.Panel("", [trace], index, metric)

    def update_data(self, current_timestamp: float) -> None:
        """Reads what was recorded since, and draws it.

        Args:
            current_timestamp: Last time, us since the Unix epoch; with that of the newest file, everything.
        """
        profile = self.metrics_reader.profile
        profile.refresh()
        self._read(_samples.bound(profile, "system", current_timestamp, self.last_timestamp_system_metrics))
        self.create_plot()


def _percent(one: _samples.Series) -> np.ndarray:
    """The values, for dimensions that are no percentages as percent of the greatest."""
    greatest = np.nanmax(one.value) if one.dimension in RELATIVE and not np.isnan(one.value).all() else 0
    return one.value / greatest * 100 if greatest != 0 else one.value


def _means(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The mean of each stretch that begins at one of these indices; NaN where there are no values."""
    known = ~np.isnan(values)
    bins = np.searchsorted(starts, np.arange(len(values)), side="right") - 1
    total = np.bincount(bins[known], values[known], minlength=len(starts))
    count = np.bincount(bins[known], minlength=len(starts))
    return np.divide(total, count, out=np.full(len(starts), np.nan), where=count > 0)
