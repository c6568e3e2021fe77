"""How often the system metrics had which values: a histogram per metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _bars, _samples, _sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MetricsHistogram"]

COLUMNS = 3
PANELS = 80  # a page of more cannot be looked at
WIDTH = 2  # percent, of a bin
BINS = 50


class MetricsHistogram(_sheet.Chart):
    """Draws a histogram per metric and node, and one for their mean, "total".

    A percentage has bins of 2 up to 100; all other quantities have 50 bins from 0, or the least value below that, to
    the greatest value. Every value is in a bin, 100 % too.

    Args:
        metrics_reader: Reader of the system metrics.

    Attributes:
        figure: The Plotly figure, once `plot` was called.
        system_metrics: By dimension and name the values.
        sources: By dimension and name what is drawn: `sources[dimension][name].data` has arrays `top` (number of
            values), `left` and `right` (edges of the bin; the right one belongs to the last bin only).

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

    def __init__(self, metrics_reader: Any) -> None:  # noqa: ANN401 - whatever has a profile
        """Draws nothing yet."""
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
            endtime: Last time; without it, or with the time of the newest file, everything that was recorded.
            select_dimensions: Regular expressions, one of which is found in the dimension.
            select_events: Regular expressions, one of which is found in the name (`cpu0`, `total`).
            show_workers: Whether every node has histograms of its own.
        """
        self.select_dimensions, self.select_events = list(select_dimensions), list(select_events)
        self.show_workers = show_workers
        self._start = starttime
        profile = self.metrics_reader.profile
        series = _samples.read(profile, starttime, _samples.bound(profile, "system", endtime))
        self.last_timestamp = _samples.end_us(series) if endtime is None else endtime
        count = sum(len(one.value) for one in series)
        text = f"from timestamp_in_us:{starttime} to timestamp_in_us:{self.last_timestamp}"
        print(f"Found {count} system metrics events {text}")
        self._group(series)
        self.create_plot()
        print(f"filtered_dimensions:{self.filtered_dimensions}")

    def clear(self) -> None:
        """Forgets what was read."""
        self.system_metrics: dict[str, dict[str, np.ndarray]] = {}
        self.sources: dict[str, dict[str, _sheet.Source]] = {}

    def _group(self, series: Sequence[_samples.Series]) -> None:
        groups = _samples.grouped(series, show_workers=self.show_workers)
        self.system_metrics = {
            key: {name: np.concatenate([one.value for one in parts]) for name, parts in names.items()}
            for key, names in groups.items()
        }
        self._looks = {(key, name): parts[0].look for key, names in groups.items() for name, parts in names.items()}
        available = dict.fromkeys(name for names in groups.values() for name in names)
        self.filtered_dimensions, self.filtered_events = _samples.selected(
            self.select_dimensions, self.select_events, groups, available
        )

    def create_plot(self) -> None:
        """Counts and draws, and shows the histograms where the last ones stood."""
        self.sources = {
            dimension: {
                name: _bars.counted(values, _edges(values, self._looks[dimension, name].unit))
                for name, values in names.items()
                if name in self.filtered_events
            }
            for dimension, names in self.system_metrics.items()
            if dimension in self.filtered_dimensions
        }
        drawn = [(dimension, name) for dimension, names in self.sources.items() for name in names]
        notes: list[str] = []
        if len(drawn) > PANELS:
            notes.append(f"{PANELS} of {len(drawn)} metrics are drawn: select_dimensions, select_events choose")
        panels: list[_sheet.Panel] = []
        for dimension, name in drawn[:PANELS]:
            source, look = self.sources[dimension][name], self._looks[dimension, name]
            unit, color = _sheet.UNITS.get(look.unit, look.unit), _sheet.of_resource(look.resource)
            panels.append(_bars.panel(f"{dimension}\n{name}", source, unit, color))
        self.draw("Values of system metrics", notes, panels, height=130, columns=COLUMNS)

    def update_data(self, current_timestamp: float) -> None:
        """Reads what was recorded since, and counts and draws it.

        Args:
            current_timestamp: Last time, us since the Unix epoch; with that of the newest file, everything.
        """
        profile = self.metrics_reader.profile
        profile.refresh()
        until = _samples.bound(profile, "system", current_timestamp, self.last_timestamp)
        series = _samples.read(profile, self._start, until)
        self.last_timestamp = _samples.end_us(series) if until is None else until
        self._group(series)
        self.create_plot()


def _edges(values: np.ndarray, unit: str) -> np.ndarray:
    """Edges of bins that hold every value."""
    known = values[np.isfinite(values)]
    low, high = (min(known.min(), 0.0), known.max()) if len(known) else (0.0, 0.0)
    if unit == "percent" and low >= -100 and high <= 200:  # noqa: PLR2004 - a core that is busier than that is none
        return np.arange(np.floor(low / WIDTH) * WIDTH, max(np.ceil(high / WIDTH) * WIDTH, 100) + WIDTH, WIDTH)
    return np.linspace(low, high if high > low else low + 1, BINS + 1)
