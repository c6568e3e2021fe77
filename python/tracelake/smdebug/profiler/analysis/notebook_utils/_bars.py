"""Histograms: counts values per bin, and draws the counts as bars."""

from __future__ import annotations

from html import escape

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _plot

FEW = 4  # up to this count, the axis has a grid line for each number


def count_values(values: np.ndarray, edges: np.ndarray) -> _plot.Source:
    """Returns the number of values between each two edges; only the last bin includes its right edge.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _bars
        >>> _bars.count_values(np.array([0.0, 2.0, 4.0]), np.array([0, 2, 4])).data["top"].tolist()
        [1, 2]
    """
    counts, edges = np.histogram(values, bins=edges)
    return _plot.Source(top=counts, left=edges[:-1], right=edges[1:])


def panel(label: str, source: _plot.Source, unit: str, color: str) -> _plot.Panel:
    """Returns a histogram as a panel; `unit` is the unit of the values.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _bars
        >>> source = _bars.count_values(np.array([0.5]), np.array([0, 1]))
        >>> _bars.panel("a step", source, "s", "#999999").traces[0]["y"].tolist()
        [1]
    """
    left, right = source.data["left"], source.data["right"]
    trace = {
        "type": "bar",
        "name": escape(label.replace("\n", " ")),
        "x": (left + right) / 2,
        "y": source.data["top"],
        "width": right - left,
        "customdata": np.column_stack([left, right]),
        "marker": {"color": color, "opacity": 0.85},
        "hovertemplate": f"%{{y:,}} from %{{customdata[0]:,.4~r}} to %{{customdata[1]:,.4~r}} {unit}<extra></extra>",
    }
    highest = int(source.data["top"].max())
    ticks = {"dtick": 1} if highest <= FEW else {"nticks": 4}
    count = _plot.axis("occurrences", range=[0, max(highest, 1) * 1.05], **ticks)
    return _plot.Panel(label, [trace], _plot.axis(unit, nticks=5), count)
