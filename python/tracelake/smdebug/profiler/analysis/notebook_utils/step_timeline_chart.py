"""The duration of each step over time."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _events, _plot, _samples

__all__ = ["StepTimelineChart"]

POINTS = 10_000  # maximum of all lines together, for each half of the chart: the visible part and the hidden part
HOVER = "step %{customdata[1]}, index %{customdata[0]}<br>%{y:,.6~r} s, begun after %{x:,.3f} s"
STEPS = """
select name, node, ts, dur, step from framework where starts_with(name, 'Step') and ts is not null order by ts, place
"""


class StepTimelineChart(_plot.Chart):
    """Draws the duration of each step, one line per mode and node, one color per mode.

    In a notebook, the chart is shown immediately.

    Args:
        metrics_reader: Reader of the framework metrics.
        width: Number of steps that are visible at first, the last ones; drag the axis to see the others.

    Attributes:
        figure: The Plotly figure.
        source: The drawn data, sorted by start: `source.data` has arrays `x` (s since the start of the first step), `y`
            (duration in s), `step` (number, NaN if unknown), `metric` (name of the event, such as
            `Step:ModeKeys.TRAIN`) and `node`.
        start: Start of the first step, s since the Unix epoch.

    Example:
        >>> from tracelake.smdebug.profiler.algorithm_metrics_reader import LocalAlgorithmMetricsReader
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils.step_timeline_chart import StepTimelineChart
        >>> chart = StepTimelineChart(LocalAlgorithmMetricsReader(str(profile)))
        >>> len(chart.source.data["y"]), chart.source.data["x"][0]
        (220, np.float64(0.0))
    """

    def __init__(self, metrics_reader: Any, width: int = 1000) -> None:  # noqa: ANN401 - any object with a profile
        """Reads the steps and shows them."""
        self.metrics_reader = metrics_reader
        self.width = width
        self._read(None)
        self.create_plot()

    def _read(self, end: float | None) -> None:
        profile = self.metrics_reader.profile
        rows = _events.query_events(profile, STEPS, 0, end)
        ts, dur = rows["ts"].to_numpy(np.int64), rows["dur"].to_numpy(np.int64)
        first = int(ts[0]) if len(ts) else 0
        self.start = first / 1e9
        last_time = int((ts + dur).max()) // 1000 if len(ts) else 0
        self.last_timestamp: float = last_time if end is None else end
        step = rows["step"].to_numpy(np.float64, na_value=np.nan)
        metric, node = rows["name"].to_numpy(object), rows["node"].to_numpy(object)
        self.source = _plot.Source(x=(ts - first) / 1e9, y=dur / 1e9, step=step, metric=metric, node=node)

    def create_plot(self) -> None:
        """Draws the steps, and shows them in place of the previous chart."""
        data = self.source.data
        x, y, metric = data["x"], data["y"], data["metric"]
        hidden = max(len(x) - self.width, 0)
        lines = sorted(set(zip(metric, data["node"], strict=True)))
        limit = max(POINTS // max(len(lines), 1), 20)
        traces: list[dict[str, Any]] = []
        for name, node in lines:
            line_points = np.flatnonzero((metric == name) & (data["node"] == node))
            old, new = line_points[line_points < hidden], line_points[line_points >= hidden]
            points = np.concatenate([old[_plot.thin(y[old], limit)], new[_plot.thin(y[new], limit)]])
            traces.append({
                "type": "scatter",
                "mode": "lines+markers",
                "name": escape(name),
                "legendgroup": escape(name),
                "showlegend": all(trace["name"] != escape(name) for trace in traces),
                "x": x[points],
                "y": y[points],
                "customdata": np.column_stack([points, data["step"][points]]),
                "line": {"color": _plot.phase_color(name), "width": 1},
                "marker": {"size": 3},
                "hovertemplate": f"{escape(name)}, {escape(node)}<br>{HOVER}<extra></extra>",
            })  # fmt: skip
        notes: list[str] = []
        if hidden:
            notes.append(f"visible at first: the last {self.width:,} of {len(x):,} steps, the others to their left")
        if sum(len(trace["x"]) for trace in traces) < len(x):
            notes.append("shortest and longest of each stretch: there are more steps than a screen has pixels")
        panels: list[_plot.Panel] = []
        if len(x):
            time = _plot.axis("time since the first step began (s)", range=[x[hidden], x[-1]])
            panels.append(_plot.Panel("", traces, time, _plot.axis("duration of the step (s)", rangemode="tozero")))
        self.draw("Duration of steps", notes, panels, height=250, legend=len(set(metric)) > 1)

    def update_data(self, current_timestamp: float) -> None:
        """Reads new data, and draws it.

        Args:
            current_timestamp: Last time, us since the Unix epoch; the time of the newest file means no limit.
        """
        profile = self.metrics_reader.profile
        profile.refresh()
        self._read(_samples.chart_end(profile, "framework", current_timestamp, self.last_timestamp))
        self.create_plot()
