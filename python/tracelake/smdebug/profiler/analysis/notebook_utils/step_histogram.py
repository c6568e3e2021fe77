"""Histograms of the durations of steps and phases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _bars, _events, _plot, _samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

__all__ = ["StepHistogram"]

COLUMNS = 2
PANELS = 60  # more panels would make the page unreadable
SELECTED = ("Step:ModeKeys", "Forward-node", r"Backward\(post-forward\)-node")
KEYED = """
, keyed as (
    select case when $show_workers then phase || '-nodeid:' || node else phase end as key, dur, place from framework
)
"""
COUNTS = "select key, count(*) as n from keyed group by key order by min(place)"
DURATIONS = "select key, dur from keyed where array_has($keys, key) order by place"


class StepHistogram(_plot.Chart):
    """Draws a histogram of durations for each phase of the framework, such as steps, forward and backward passes.

    Bins go from the minimum to the median plus two standard deviations, so that a few very long steps do not squeeze
    all others into one bar. The number of longer events is shown above each panel.

    Args:
        metrics_reader: Reader of the framework metrics.
        width: Not used, as in smdebug.

    Attributes:
        figure: The Plotly figure, after a call of `plot`.
        step_metrics: Durations in s by phase (and node), in the order of the files.
        sources: Drawn data by phase: `sources[phase].data` has arrays `top` (number of events), `left` and `right`
            (edges of the bin in s; only the last bin includes its right edge).

    Example:
        >>> from tracelake.smdebug.profiler.algorithm_metrics_reader import LocalAlgorithmMetricsReader
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils.step_histogram import StepHistogram
        >>> histogram = StepHistogram(LocalAlgorithmMetricsReader(str(profile)))  # doctest: +ELLIPSIS
        StepHistogram created, last_timestamp found:...
        >>> histogram.plot(select_metrics=["Step:ModeKeys.EVAL"])  # doctest: +ELLIPSIS
        stephistogram getting events from 0 to ...
        >>> {phase: len(durations) for phase, durations in histogram.step_metrics.items()}
        {'Step:ModeKeys.EVAL-nodeid:algo-1-1': 10, 'Step:ModeKeys.EVAL-nodeid:algo-1-0': 10}
    """

    def __init__(self, metrics_reader: Any, width: int = 500) -> None:  # noqa: ANN401 - any object with a profile
        """Stores the reader, without drawing."""
        self.metrics_reader = metrics_reader
        self.width = width
        self.select_metrics = list(SELECTED)
        self.show_workers = True
        self.last_timestamp: float = self._latest_file_time()
        self._start: float = 0
        self.clear()
        print(f"StepHistogram created, last_timestamp found:{self.last_timestamp}")

    def _latest_file_time(self) -> int:
        return max(self.metrics_reader.profile.files("framework")["ts_us"].tolist(), default=0)

    def plot(
        self,
        starttime: float = 0,
        endtime: float | None = None,
        select_metrics: Sequence[str] = SELECTED,
        show_workers: bool = True,
    ) -> None:
        """Reads the events and shows their histograms.

        Args:
            starttime: First time, us since the Unix epoch.
            endtime: Last time. The default, and the time of the newest file, mean no limit.
            select_metrics: Regular expressions; a phase (`Step:ModeKeys`, `Forward`) is shown if one of them matches.
                With `show_workers`, the phase ends with `-nodeid:` and the node.
            show_workers: Whether each node (rank) has its own histograms.
        """
        self.select_metrics, self.show_workers = list(select_metrics), show_workers
        self._start = starttime
        self.last_timestamp = self._latest_file_time() if endtime is None else endtime
        print(f"stephistogram getting events from {starttime} to {self.last_timestamp}")
        end = _samples.chart_end(self.metrics_reader.profile, "framework", endtime)
        counts = self._query(COUNTS, end)
        print(f"Total events fetched:{counts['n'].sum()}")
        self._read(counts["key"].tolist(), end)
        self.create_plot(self.step_metrics)

    def clear(self) -> None:
        """Removes the data."""
        self.step_metrics: dict[str, np.ndarray] = {}
        self.sources: dict[str, _plot.Source] = {}

    def _query(self, text: str, end: float | None, **params: Any) -> pd.DataFrame:  # noqa: ANN401 - any type that SQL has
        profile = self.metrics_reader.profile
        return _events.query_events(profile, KEYED + text, self._start, end, show_workers=self.show_workers, **params)

    def _read(self, available: list[str], end: float | None) -> None:
        print(f"Select metrics:{self.select_metrics}")
        print(f"Available_metrics: {available}")
        chosen = [name for pattern in self.select_metrics for name in filter(re.compile(pattern).search, available)]
        print(f"Filtered metrics:{chosen}")
        shown = [name for name in available if name in chosen]
        rows = self._query(DURATIONS, end, keys=shown or [""])
        seconds = rows["dur"].to_numpy() / 1e9
        self.step_metrics = {name: seconds[(rows["key"] == name).to_numpy()] for name in shown}

    def create_plot(self, step_metrics: dict[str, np.ndarray]) -> None:
        """Counts these durations, draws the histograms, and shows them in place of the previous ones.

        Args:
            step_metrics: Durations in s by phase.
        """
        self.sources = {name: _bars.count_values(values, _edges(values)) for name, values in step_metrics.items()}
        panels: list[_plot.Panel] = []
        for name, source in list(self.sources.items())[:PANELS]:
            longer_count = len(step_metrics[name]) - source.data["top"].sum()
            longer = f"{longer_count:,} longer, up to {step_metrics[name].max():,.3g} s" if longer_count else ""
            panels.append(_bars.panel(f"{name}\n{longer}", source, "s", _plot.phase_color(name)))
        notes = ["up to the median plus two standard deviations; what took longer is counted above the panel"]
        if len(self.sources) > PANELS:
            notes.append(f"{PANELS} of {len(self.sources)} phases are drawn: select_metrics chooses")
        self.draw("Durations by phase", notes, panels, height=190, columns=COLUMNS)

    def update_data(self, current_timestamp: float) -> None:
        """Reads new data, and draws the histograms again.

        Args:
            current_timestamp: Last time, us since the Unix epoch; the time of the newest file means no limit.
        """
        profile = self.metrics_reader.profile
        profile.refresh()
        end = _samples.chart_end(profile, "framework", current_timestamp, self.last_timestamp)
        self.last_timestamp = current_timestamp if end is None else end
        self._read(self._query(COUNTS, end)["key"].tolist(), end)
        self.create_plot(self.step_metrics)


def _edges(values: np.ndarray) -> np.ndarray:
    """Returns the edges of about 50 bins, or of a single bin if all values are equal."""
    low, high = values.min(), np.median(values) + 2 * np.std(values)
    edges = np.arange(low, high, (high - low) / 50) if high > low else values[:0]
    return edges if len(edges) > 1 else np.array([low, np.nextafter(max(low, values.max()), np.inf)])
