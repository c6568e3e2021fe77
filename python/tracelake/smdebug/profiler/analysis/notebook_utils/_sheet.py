"""The paper of the charts: colours, panels below or beside each other, and how a notebook shows the result."""

from __future__ import annotations

import sys
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tracelake.optional import needs

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

__all__ = ["COLOURS", "MODES", "UNITS", "Panel", "Source", "axis", "figure", "show", "thinned"]

# Those of the figures of the Rust library, src/figure/theme.rs: a role looks the same everywhere.
INK, GRID, HOVER = "#767b85", "rgba(128,128,128,0.22)", "#2b2f36"
COLOURS = {"cpu": "#56b4e9", "gpu": "#009e73", "memory": "#cc79a7", "io": "#e69f00", "network": "#0072b2"}
MODES = {"train": "#0072b2", "eval": "#e69f00", "predict": "#009e73", "global": "#cc79a7"}
OTHER = "#999999"
HEAT = ["#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#fee838"]
UNITS = {"percent": "%", "per_s": "1/s", "bytes_per_s": "B/s"}
FONT = "system-ui, -apple-system, Segoe UI, Roboto, sans-serif"


class Source:
    """The numbers behind one panel: `data` has an array per column.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _sheet
        >>> _sheet.Source(x=np.array([1.0])).data["x"].tolist()
        [1.0]
    """

    def __init__(self, **data: np.ndarray) -> None:
        """Columns by name."""
        self.data = data

    def __repr__(self) -> str:
        """Names of the columns and how long they are."""
        return f"Source({', '.join(f'{name}: {len(column)}' for name, column in self.data.items())})"


class Panel(NamedTuple):
    """One pair of axes: what is drawn on it, without a word about where it stands."""

    label: str
    traces: list[dict[str, Any]]
    x: dict[str, Any]
    y: dict[str, Any]


def axis(title: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as Plotly declares
    """An axis in the common look; the title names the unit."""
    look: dict[str, Any] = {"gridcolor": GRID, "linecolor": GRID, "color": INK, "zeroline": False, "automargin": True}
    return {**look, "title": {"text": title, "font": {"size": 12}}, **more}


def figure(  # noqa: PLR0913 - what a sheet of paper is made of
    title: str,
    notes: Sequence[str],
    panels: Sequence[Panel],
    *,
    height: int,
    columns: int = 1,
    shared: bool = False,
) -> go.Figure:
    """A figure of these panels, row by row.

    Args:
        title: What is seen.
        notes: What a reader has to know about it, in small letters below the title.
        panels: The panels; without any, the figure says that nothing was recorded.
        height: Height of a panel in pixels.
        columns: Panels beside each other.
        shared: Whether the panels have one x axis in common, which is labelled at the last one.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _sheet
        >>> line = {"type": "scatter", "x": [0, 1], "y": [2, 3]}
        >>> panel = _sheet.Panel("load", [line], _sheet.axis("time (s)"), _sheet.axis("%"))
        >>> len(_sheet.figure("Load", [], [panel, panel], height=100).data)
        2
    """
    go = needs("plotly.graph_objects", "smdebug", "draw a chart")
    small = "".join(f'<br><span style="font-size:11px">{escape(note)}</span>' for note in notes)
    top, between, last = 50 + 18 * len(notes), 34 if shared else 74, 56
    rows = max(-(-len(panels) // columns), 1)
    inner = rows * height + (rows - 1) * between
    layout: dict[str, Any] = {
        "title": {
            "text": f"<b>{escape(title)}</b>{small}",
            "font": {"size": 15, "color": INK},
            "x": 0.01,
            "y": 1 - 24 / (top + inner + last),
            "yanchor": "bottom",
        },
        "height": top + inner + last,
        "margin": {"t": top, "b": last, "l": 64, "r": 24},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 12, "color": INK},
        "hoverlabel": {"align": "left", "bgcolor": HOVER, "bordercolor": GRID, "font": {"size": 12, "color": "#f4f5f7"}},
        "hovermode": "closest",
        "showlegend": False,
        "bargap": 0.04,
        "annotations": [],
    }
    traces: list[dict[str, Any]] = []
    for place, panel in enumerate(panels):
        row, column = divmod(place, columns)
        number = "" if place == 0 else str(place + 1)
        upper = 1 - row * (height + between) / inner
        width = 1 / (columns + (columns - 1) * 0.22)
        left = column * width * 1.22
        below = place + columns >= len(panels)
        ticks = below or not shared
        layout[f"xaxis{number}"] = {
            **panel.x,
            **({} if ticks else {"title": {"text": ""}}),
            **({"matches": "x"} if shared and place else {}),
            "anchor": f"y{number}",
            "domain": [left, min(left + width, 1)],
            "showticklabels": ticks,
        }
        lower = max(upper - height / inner, 0)
        layout[f"yaxis{number}"] = {**panel.y, "anchor": f"x{number}", "domain": [lower, upper]}
        if panel.label:
            text = {"text": escape(panel.label), "showarrow": False, "font": {"size": 12, "color": INK}}
            at = {"xref": "paper", "x": left, "xanchor": "left", "yref": "paper", "y": upper, "yanchor": "bottom"}
            layout["annotations"].append({**text, **at})
        traces += [{**trace, "xaxis": f"x{number}", "yaxis": f"y{number}"} for trace in panel.traces]
    if not panels:
        hidden = {"visible": False}
        text = {"text": "<b>nothing was recorded that could be drawn here</b>", "showarrow": False}
        at = {"xref": "paper", "x": 0.5, "yref": "paper", "y": 0.5, "font": {"size": 14, "color": INK}}
        layout |= {"xaxis": hidden, "yaxis": hidden, "annotations": [{**text, **at}]}
    return go.Figure(data=traces, layout=layout)


def thinned(values: np.ndarray, limit: int) -> np.ndarray:
    """Indices of at most about `limit` values that draw the same line: the least and the greatest of every stretch.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _sheet
        >>> values = np.zeros(100_000)
        >>> values[70_123] = 1
        >>> kept = _sheet.thinned(values, 1000)
        >>> len(kept) <= 1002, 70_123 in kept
        (True, True)
    """
    if len(values) <= limit:
        return np.arange(len(values))
    step = -(-len(values) // (limit // 2))
    rows = -(-len(values) // step)
    low, high = np.full(rows * step, np.inf), np.full(rows * step, -np.inf)
    known = ~np.isnan(values)
    low[: len(values)][known] = values[known]
    high[: len(values)][known] = values[known]
    starts = np.arange(rows) * step
    least, greatest = (starts + place for place in (low.reshape(rows, step).argmin(1), high.reshape(rows, step).argmax(1)))
    return np.unique(np.concatenate([[0], least, greatest, [len(values) - 1]]))


def show(drawn: go.Figure, handle: Any = None) -> Any:  # noqa: ANN401 - the handle is IPython's
    """Shows a figure in a notebook, in the place of what `handle` stands for; elsewhere nothing happens.

    Returns:
        The handle of the output, to be handed over for the next state; None outside of a notebook.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _sheet
        >>> _sheet.show(_sheet.figure("Load", [], [], height=100)) is None
        True
    """
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if not hasattr(shell, "kernel"):
        return None
    bundle = drawn._repr_mimebundle_()  # noqa: SLF001 - IPython's protocol; `display(drawn)` would give no handle
    if handle is None:
        return ipython.display.display(bundle, raw=True, display_id=True)
    handle.update(bundle, raw=True)
    return handle
