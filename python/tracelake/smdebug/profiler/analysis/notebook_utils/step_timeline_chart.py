"""How long each step took, over time."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _events, _samples, _sheet

__all__ = ["StepTimelineChart"]

POINTS = 10_000  # of all lines together, in each half of the chart: what is visible at first, and what is not
HOVER = "step %{customdata[1]}, index %{customdata[0]}<br>%{y:,.6~r} s, begun after %{x:,.3f} s"
STEPS = """
select name, node, ts, dur, step from framework where starts_with(name, 'Step') and ts is not null order by ts, place
"""


class StepTimelineChart(_sheet.Chart):
    """Draws the duration of every step, one line per mode and node; a color is a mode.

    In a notebook the chart is shown at once.

    Args:
        metrics_reader: Reader of the framework metrics.
        width: How many steps are visible at first, the last ones; the others are a drag away.

    Attributes:
        figure: The Plotly figure.
        source: What is drawn, by start: `source.data` has arrays `x` (s since the first step began), `y` (duration in
            s), `step` (its number, NaN if unknown), `metric` (the name of the event, such as `Step:ModeKeys.TRAIN`) and
            `node`.
        start: When the first step began, s since the Unix epoch.

    Example:
        >>> from tracelake.smdebug.profiler.algorithm_metrics_reader import LocalAlgorithmMetricsReader
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils.step_timeline_chart import StepTimelineChart
        >>> chart = StepTimelineChart(LocalAlgorithmMetricsReader(str(profile)))
        >>> len(chart.source.data["y"]), chart.source.data["x"][0]
        (220, np.float64(0.0))
    """

    def __init__(self, metrics_reader: Any, width: int = 1000) -> None:  # noqa: ANN401 - whatever has a profile
        """Reads the steps and shows them."""
        self.metrics_reader = metrics_reader
        self.width = width
        self._read(None)
        self.create_plot()

    def _read(self, until: float | None) -> None:
        profile = self.metrics_reader.profile
        rows = _events.asked(profile, STEPS, 0, until)
        ts, dur = rows["ts"].to_numpy(np.int64), rows["dur"].to_numpy(np.int64)
        first = int(ts[0]) if len(ts) else 0
        self.start = first / 1e9
        shown = int((ts + dur).max()) // 1000 if len(ts) else 0
        self.last_timestamp: float = shown if until is None else until
        step = rows["step"].to_numpy(np.float64, na_value=np.nan)
        metric, node = rows["name"].to_numpy(object), rows["node"].to_numpy(object)
        self.source = _sheet.Source(x=(ts - first) / 1e9, y=dur / 1e9, step=step, metric=metric, node=node)

    def create_plot(self) -> None:
        """Draws the steps, and shows them where the last ones stood."""
        data = self.source.data
        x, y, metric = data["x"], data["y"], data["metric"]
        before = max(len(x) - self.width, 0)
        lines = sorted(set(zip(metric, data["node"], strict=True)))
        limit = max(POINTS // max(len(lines), 1), 20)
        traces: list[dict[str, Any]] = []
        for name, node in lines:
            places = np.flatnonzero((metric == name) & (data["node"] == node))
            old, new = places[places < before], places[places >= before]
            kept = np.concatenate([old[_sheet.thinned(y[old], limit)], new[_sheet.thinned(y[new], limit)]])
            traces.append({
                "type": "scatter",
                "mode": "lines+markers",
                "name": escape(name),
                "legendgroup": escape(name),
                "showlegend": all(trace["name"] != escape(name) for trace in traces),
                "x": x[kept],
                "y": y[kept],
                "customdata": np.column_stack([kept, data["step"][kept]]),
                "line": {"color": _sheet.of_phase(name), "width": 1},
                "marker": {"size": 3},
                "hovertemplate": f"{escape(name)}, {escape(node)}<br>{HOVER}<extra></extra>",
            })  # fmt: skip
        notes: list[str] = []
        if before:
            notes.append(f"visible at first: the last {self.width:,} of {len(x):,} steps, the others to their left")
        if sum(len(trace["x"]) for trace in traces) < len(x):
            notes.append("shortest and longest of each stretch: there are more steps than a screen has pixels")
        panels: list[_sheet.Panel] = []
        if len(x):
            time = _sheet.axis("time since the first step began (s)", range=[x[before], x[-1]])
            panels.append(_sheet.Panel("", traces, time, _sheet.axis("duration of the step (s)", rangemode="tozero")))
        self.draw("Duration of steps", notes, panels, height=250, legend=len(set(metric)) > 1)

    def update_data(self, current_timestamp: float) -> None:
        """Reads what was recorded since, and draws it.

        Args:
            current_timestamp: Last time, us since the Unix epoch; with that of the newest file, everything.
        """
        profile = self.metrics_reader.profile
        profile.refresh()
        self._read(_samples.bound(profile, "framework", current_timestamp, self.last_timestamp))
        self.create_plot()
