"""How long steps and their parts took: a histogram per phase."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _bars, _events, _samples, _sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

__all__ = ["StepHistogram"]

COLUMNS = 2
PANELS = 60  # a page of more cannot be looked at
SELECTED = ("Step:ModeKeys", "Forward-node", r"Backward\(post-forward\)-node")
KEYED = """
, keyed as (
    select case when $show_workers then phase || '-nodeid:' || node else phase end as key, dur, place from framework
)
"""
COUNTS = "select key, count(*) as n from keyed group by key order by min(place)"
DURATIONS = "select key, dur from keyed where array_has($keys, key) order by place"


class StepHistogram(_sheet.Chart):
    """Draws a histogram of durations for every phase of the framework, such as steps, forward and backward passes.

    Bins go from the least duration to the median plus two standard deviations, so that a few very long steps do not
    leave everything else in one bar; above each panel stands how many took longer.

    Args:
        metrics_reader: Reader of the framework metrics.
        width: Not used; the original does not either.

    Attributes:
        figure: The Plotly figure, once `plot` was called.
        step_metrics: By phase (and node) the durations in s, in the order of the files.
        sources: By phase what is drawn: `sources[phase].data` has arrays `top` (number of events), `left` and `right`
            (edges of the bin in s; the right one belongs to the last bin only).

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

    def __init__(self, metrics_reader: Any, width: int = 500) -> None:  # noqa: ANN401 - whatever has a profile
        """Draws nothing yet."""
        self.metrics_reader = metrics_reader
        self.width = width
        self.select_metrics = list(SELECTED)
        self.show_workers = True
        self.last_timestamp: float = self._latest()
        self._start: float = 0
        self.clear()
        print(f"StepHistogram created, last_timestamp found:{self.last_timestamp}")

    def _latest(self) -> int:
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
            endtime: Last time; without it, or with the time of the newest file, everything that was recorded.
            select_metrics: Regular expressions, one of which is found in the phase (`Step:ModeKeys`, `Forward`), which
                ends with `-nodeid:` and the node if `show_workers`.
            show_workers: Whether every node, which is a rank, has histograms of its own.
        """
        self.select_metrics, self.show_workers = list(select_metrics), show_workers
        self._start = starttime
        self.last_timestamp = self._latest() if endtime is None else endtime
        print(f"stephistogram getting events from {starttime} to {self.last_timestamp}")
        until = _samples.bound(self.metrics_reader.profile, "framework", endtime)
        counts = self._asked(COUNTS, until)
        print(f"Total events fetched:{counts['n'].sum()}")
        self._read(counts["key"].tolist(), until)
        self.create_plot(self.step_metrics)

    def clear(self) -> None:
        """Forgets what was read."""
        self.step_metrics: dict[str, np.ndarray] = {}
        self.sources: dict[str, _sheet.Source] = {}

    def _asked(self, text: str, until: float | None, **params: Any) -> pd.DataFrame:  # noqa: ANN401 - as the SQL has it
        profile = self.metrics_reader.profile
        return _events.asked(profile, KEYED + text, self._start, until, show_workers=self.show_workers, **params)

    def _read(self, available: list[str], until: float | None) -> None:
        print(f"Select metrics:{self.select_metrics}")
        print(f"Available_metrics: {available}")
        chosen = [name for pattern in self.select_metrics for name in filter(re.compile(pattern).search, available)]
        print(f"Filtered metrics:{chosen}")
        shown = [name for name in available if name in chosen]
        rows = self._asked(DURATIONS, until, keys=shown or [""])
        seconds = rows["dur"].to_numpy() / 1e9
        self.step_metrics = {name: seconds[(rows["key"] == name).to_numpy()] for name in shown}

    def create_plot(self, step_metrics: dict[str, np.ndarray]) -> None:
        """Counts and draws these durations (s) by phase, and shows the histograms where the last ones stood.

        Args:
            step_metrics: By phase the durations in s.
        """
        self.sources = {name: _bars.counted(values, _edges(values)) for name, values in step_metrics.items()}
        panels: list[_sheet.Panel] = []
        for name, source in list(self.sources.items())[:PANELS]:
            beyond = len(step_metrics[name]) - source.data["top"].sum()
            longer = f"{beyond:,} longer, up to {step_metrics[name].max():,.3g} s" if beyond else ""
            panels.append(_bars.panel(f"{name}\n{longer}", source, "s", _sheet.of_phase(name)))
        notes = ["up to the median plus two standard deviations; what took longer is counted above the panel"]
        if len(self.sources) > PANELS:
            notes.append(f"{PANELS} of {len(self.sources)} phases are drawn: select_metrics chooses")
        self.draw("Durations by phase", notes, panels, height=190, columns=COLUMNS)

    def update_data(self, current_timestamp: float) -> None:
        """Reads what was recorded since, and counts and draws it.

        Args:
            current_timestamp: Last time, us since the Unix epoch; with that of the newest file, everything.
        """
        profile = self.metrics_reader.profile
        profile.refresh()
        until = _samples.bound(profile, "framework", current_timestamp, self.last_timestamp)
        self.last_timestamp = current_timestamp if until is None else until
        self._read(self._asked(COUNTS, until)["key"].tolist(), until)
        self.create_plot(self.step_metrics)


def _edges(values: np.ndarray) -> np.ndarray:
    """Edges of about 50 bins; a single one if all values are equal."""
    low, high = values.min(), np.median(values) + 2 * np.std(values)
    edges = np.arange(low, high, (high - low) / 50) if high > low else values[:0]
    return edges if len(edges) > 1 else np.array([low, np.nextafter(max(low, values.max()), np.inf)])
