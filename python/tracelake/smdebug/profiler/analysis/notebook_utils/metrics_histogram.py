"""Histograms of the values of system metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _bars, _plot, _samples

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MetricsHistogram"]

COLUMNS = 3
PANELS = 80  # more panels would make the page unreadable
WIDTH = 2  # percent, of a bin
BINS = 50


class MetricsHistogram(_samples.MetricsChart):
    """Draws a histogram per metric and node, and one for their mean, "total".

    A percentage has bins with a width of 2, up to 100. Other quantities have 50 bins, from the minimum (or 0, if that
    is lower) to the maximum. Each value is in a bin, including 100 %.

    Args:
        metrics_reader: Reader of the system metrics.

    Attributes:
        figure: The Plotly figure, after a call of `plot`.
        system_metrics: Values by dimension and name.
        sources: Drawn data by dimension and name: `sources[dimension][name].data` has arrays `top` (number of values),
            `left` and `right` (edges of the bin; only the last bin includes its right edge).

    Example:
        >>> from tracelake.smdebug.profiler.system_metrics_reader import LocalSystemMetricsReader
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils.metrics_histogram import MetricsHistogram
        >>> histogram = MetricsHistogram(LocalSystemMetricsReader(str(profile)))
        >>> histogram.plot(select_dimensions=["CPU"], select_events=["total"])
        Found 3724 system metrics events from timestamp_in_us:0 to timestamp_in_us:1600000332512370
        select events:['total']
        select dimensions:['CPU']
        filtered_events:{'total'}
        filtered_dimensions:{'CPUUtilization-nodeid:algo-1'}
        filtered_dimensions:{'CPUUtilization-nodeid:algo-1'}
        >>> histogram.sources["CPUUtilization-nodeid:algo-1"]["total"].data["top"].sum()
        np.int64(133)
    """

    def __init__(self, metrics_reader: Any) -> None:  # noqa: ANN401 - any object with a profile
        """Stores the reader, without drawing."""
        self.metrics_reader = metrics_reader
        self.last_timestamp: float = 0
        self.select_dimensions: list[str] = [".*"]
        self.select_events: list[str] = [".*"]
        self.show_workers = True
        self._start: float = 0
        self.clear()

    def plot(
        self,
        starttime: float = 0,
        endtime: float | None = None,
        select_dimensions: Sequence[str] = (".*",),
        select_events: Sequence[str] = (".*",),
        show_workers: bool = True,
    ) -> None:
        """Reads the metrics and shows their histograms.

        Args:
            starttime: First time, us since the Unix epoch.
            endtime: Last time. The default, and the time of the newest file, mean no limit.
            select_dimensions: Regular expressions; a dimension is shown if one of them matches.
            select_events: Regular expressions; a name (`cpu0`, `total`) is shown if one of them matches.
            show_workers: Whether each node has its own histograms.
        """
        self.select_dimensions, self.select_events = list(select_dimensions), list(select_events)
        self.show_workers = show_workers
        self._start = starttime
        profile = self.metrics_reader.profile
        series = _samples.read_series(profile, starttime, _samples.chart_end(profile, "system", endtime))
        self.last_timestamp = _samples.last_time_us(series) if endtime is None else endtime
        count = sum(len(one.value) for one in series)
        text = f"from timestamp_in_us:{starttime} to timestamp_in_us:{self.last_timestamp}"
        print(f"Found {count} system metrics events {text}")
        self._store(series)
        self.create_plot()
        print(f"filtered_dimensions:{self.filtered_dimensions}")

    def clear(self) -> None:
        """Removes the data."""
        self.system_metrics: dict[str, dict[str, np.ndarray]] = {}
        self.sources: dict[str, dict[str, _plot.Source]] = {}

    def _store(self, series: Sequence[_samples.Series]) -> None:
        self.system_metrics = {
            key: {name: np.concatenate([one.value for one in parts]) for name, parts in names.items()}
            for key, names in self._group(series).items()
        }

    def create_plot(self) -> None:
        """Counts the values, draws the histograms, and shows them in place of the previous ones."""
        self.sources = {
            dimension: {
                name: _bars.count_values(values, _edges(values, self._styles[dimension, name].unit))
                for name, values in names.items()
            }
            for dimension, names in self._filter(self.system_metrics).items()
        }
        drawn = [(dimension, name) for dimension, names in self.sources.items() for name in names]
        notes: list[str] = []
        if len(drawn) > PANELS:
            notes.append(f"{PANELS} of {len(drawn)} metrics are drawn: select_dimensions, select_events choose")
        panels: list[_plot.Panel] = []
        for dimension, name in drawn[:PANELS]:
            source, style = self.sources[dimension][name], self._styles[dimension, name]
            unit, color = _plot.UNITS.get(style.unit, style.unit), _plot.resource_color(style.resource)
            panels.append(_bars.panel(f"{dimension}\n{name}", source, unit, color))
        self.draw("Values of system metrics", notes, panels, height=130, columns=COLUMNS)

    def update_data(self, current_timestamp: float) -> None:
        """Reads new data, and draws the histograms again.

        Args:
            current_timestamp: Last time, us since the Unix epoch; the time of the newest file means no limit.
        """
        profile = self.metrics_reader.profile
        profile.refresh()
        end = _samples.chart_end(profile, "system", current_timestamp, self.last_timestamp)
        series = _samples.read_series(profile, self._start, end)
        self.last_timestamp = _samples.last_time_us(series) if end is None else end
        self._store(series)
        self.create_plot()


def _edges(values: np.ndarray, unit: str) -> np.ndarray:
    """Returns the edges of bins that include every value."""
    known = values[np.isfinite(values)]
    low, high = (min(known.min(), 0.0), known.max()) if len(known) else (0.0, 0.0)
    if unit == "percent" and low >= -100 and high <= 200:  # noqa: PLR2004 - outside of this range, it is not a percentage
        return np.arange(np.floor(low / WIDTH) * WIDTH, max(np.ceil(high / WIDTH) * WIDTH, 100) + WIDTH, WIDTH)
    return np.linspace(low, high if high > low else low + 1, BINS + 1)
