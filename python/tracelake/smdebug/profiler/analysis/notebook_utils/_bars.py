"""Histograms: how many values lie in which bin, and how that is drawn."""

from __future__ import annotations

from html import escape

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _sheet

__all__ = ["counted", "panel"]

FEW = 4  # up to here every number of values has its own line


def counted(values: np.ndarray, edges: np.ndarray) -> _sheet.Source:
    """How many values lie between two edges; the last bin has both of its edges.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _bars
        >>> _bars.counted(np.array([0.0, 2.0, 4.0]), np.array([0, 2, 4])).data["top"].tolist()
        [1, 2]
    """
    top, edges = np.histogram(values, bins=edges)
    return _sheet.Source(top=top, left=edges[:-1], right=edges[1:])


def panel(label: str, source: _sheet.Source, unit: str, color: str) -> _sheet.Panel:
    """The bars of a histogram; the unit is that of its values.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _bars
        >>> source = _bars.counted(np.array([0.5]), np.array([0, 1]))
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
    most = int(source.data["top"].max())
    ticks = {"dtick": 1} if most <= FEW else {"nticks": 4}
    count = _sheet.axis("occurrences", range=[0, max(most, 1) * 1.05], **ticks)
    return _sheet.Panel(label, [trace], _sheet.axis(unit, nticks=5), count)
