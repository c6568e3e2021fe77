"""The paper of the charts: colors, panels below or beside each other."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tracelake.figures import show
from tracelake.optional import needs

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from tracelake.figures import Place

__all__ = ["HEAT", "UNITS", "Chart", "Panel", "Source", "axis", "figure", "of_phase", "of_resource", "thinned"]

# Those of the figures of the Rust library, crates/figure/src/kit/theme.rs: a role looks the same everywhere.
INK, GRID, HOVER = "#767b85", "rgba(128,128,128,0.22)", "#2b2f36"
RESOURCES = {"cpu": "#56b4e9", "gpu": "#009e73", "memory": "#cc79a7", "io": "#e69f00", "network": "#0072b2"}
PHASES = {
    "Step:ModeKeys.TRAIN": "#0072b2",
    "Step:ModeKeys.EVAL": "#e69f00",
    "Step:ModeKeys.PREDICT": "#009e73",
    "Step:ModeKeys.GLOBAL": "#cc79a7",
    "Forward": "#66ccee",
    "Backward": "#4477aa",
    "DataLoaderWorker": "#a6a6a6",
    "Data": "#aa3377",
}
OTHER = "#999999"
HEAT = ["#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#fee838"]
GAP = 0.18  # between columns, as a share of their width
UNITS = {"percent": "%", "per_s": "1/s", "bytes_per_s": "B/s"}
FONT = "system-ui, -apple-system, Segoe UI, Roboto, sans-serif"


def of_phase(name: str) -> str:
    """The color of a phase of the framework, or of an event that is called like one.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _sheet
        >>> _sheet.of_phase("Forward-SubModuleInternal") == _sheet.of_phase("Forward")
        True
    """
    return next((PHASES[start] for start in PHASES if name.startswith(start)), OTHER)


def of_resource(resource: str) -> str:
    """The color of what was measured: cpu, gpu, memory, io or network.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _sheet
        >>> _sheet.of_resource("cpu")
        '#56b4e9'
    """
    return RESOURCES.get(resource, OTHER)


class Source:
    """The numbers behind one panel: `data` has an array or a list per column.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _sheet
        >>> _sheet.Source(x=np.array([1.0])).data["x"].tolist()
        [1.0]
    """

    def __init__(self, **data: Any) -> None:  # noqa: ANN401 - arrays and lists
        """Columns by name."""
        self.data = data

    def __repr__(self) -> str:
        """Names of the columns and how long they are."""
        return f"Source({', '.join(f'{name}: {len(column)}' for name, column in self.data.items())})"


class Panel(NamedTuple):
    """One pair of axes: what is drawn on it, without a word about where it stands."""

    label: str
    """What stands above it; may have two lines."""
    traces: list[dict[str, Any]]
    x: dict[str, Any]
    y: dict[str, Any]


def axis(title: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as Plotly declares
    """An axis in the common look; the title names the unit."""
    look: dict[str, Any] = {"gridcolor": GRID, "linecolor": GRID, "color": INK, "zeroline": False, "automargin": True}
    return {**look, "title": {"text": title, "font": {"size": 12}}, **more}


def figure(
    title: str,
    notes: Sequence[str],
    panels: Sequence[Panel],
    *,
    height: int,
    columns: int = 1,
    shared: bool = False,
    legend: bool = False,
) -> go.Figure:
    """A figure of these panels, row by row.

    Args:
        title: What is seen.
        notes: What a reader has to know about it, in small letters below the title.
        panels: The panels; without any, the figure says that nothing was recorded.
        height: Height of a panel in pixels.
        columns: Panels beside each other.
        shared: Whether the panels have one x axis in common, which is labeled at the last one.
        legend: Whether a legend below names the traces.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _sheet
        >>> line = {"type": "scatter", "x": [0, 1], "y": [2, 3]}
        >>> panel = _sheet.Panel("load", [line], _sheet.axis("time (s)"), _sheet.axis("%"))
        >>> len(_sheet.figure("Load", [], [panel, panel], height=100).data)
        2
    """
    go = needs("plotly.graph_objects", "smdebug", "draw a chart")
    small = "".join(f'<br><span style="font-size:11px">{escape(note)}</span>' for note in notes)
    lines = max((panel.label.count("\n") + 1 for panel in panels), default=1)
    top = 36 + 18 * len(notes) + 15 * lines
    between, last = 15 * lines + (19 if shared else 60), 100 if legend else 56
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
        "hoverlabel": {
            "align": "left",
            "bgcolor": HOVER,
            "bordercolor": GRID,
            "font": {"size": 12, "color": "#f4f5f7"},
        },
        "hovermode": "closest",
        "showlegend": legend,
        "legend": {"orientation": "h", "x": 0, "y": -56 / inner, "yanchor": "top", "font": {"size": 11}},
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": GRID, "activecolor": INK},
        "barmode": "overlay",
        "bargap": 0.04,
        "annotations": [],
    }
    traces: list[dict[str, Any]] = []
    for place, panel in enumerate(panels):
        row, column = divmod(place, columns)
        number = "" if place == 0 else str(place + 1)
        upper = 1 - row * (height + between) / inner
        width = 1 / (columns + (columns - 1) * GAP)
        left = column * width * (1 + GAP)
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
        aside = {"title": {"text": ""}} if column else {}  # the one of the left stands for the row
        layout[f"yaxis{number}"] = {**panel.y, **aside, "anchor": f"x{number}", "domain": [lower, upper]}
        if panel.label:
            label = escape(panel.label).replace("\n", "<br>")
            text = {"text": label, "showarrow": False, "font": {"size": 11, "color": INK}, "align": "left"}
            at = {"xref": "paper", "x": left, "xanchor": "left", "yref": "paper", "y": upper, "yanchor": "bottom"}
            layout["annotations"].append({**text, **at})
        traces += [{**trace, "xaxis": f"x{number}", "yaxis": f"y{number}"} for trace in panel.traces]
    if not panels:
        hidden = {"visible": False}
        text = {"text": "<b>nothing was recorded that could be drawn here</b>", "showarrow": False}
        at = {"xref": "paper", "x": 0.5, "yref": "paper", "y": 0.5, "font": {"size": 14, "color": INK}}
        layout |= {"xaxis": hidden, "yaxis": hidden, "annotations": [{**text, **at}]}
    return go.Figure(data=traces, layout=layout)


class Chart:
    """A figure in a notebook, which can be drawn again in the same place.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _sheet
        >>> chart = _sheet.Chart()
        >>> chart.draw("Load", [], [], height=100)
        >>> chart.figure.layout.title.text
        '<b>Load</b>'
    """

    figure: go.Figure
    target: Place | None = None
    """Where the notebook shows the figure; None outside of a notebook."""

    def draw(self, title: str, notes: Sequence[str], panels: Sequence[Panel], **look: Any) -> None:  # noqa: ANN401 - as `figure` has them
        """Makes the figure, and shows it in place of the last one."""
        self.figure = figure(title, notes, panels, **look)
        self.target = show(self.figure, self.target)


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
    least, greatest = low.reshape(rows, step).argmin(1), high.reshape(rows, step).argmax(1)
    return np.unique(np.concatenate([[0], starts + least, starts + greatest, [len(values) - 1]]))
