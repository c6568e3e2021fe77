"""The layout of charts: colors, and a grid of panels."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tracelake.figures import show
from tracelake.optional import import_optional

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from tracelake.figures import NotebookOutput

# The colors of crates/figure/src/kit/theme.rs, so that a role has one color in all figures.
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


def phase_color(name: str) -> str:
    """Returns the color of a framework phase, or of an event with the name of a phase.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _plot
        >>> _plot.phase_color("Forward-SubModuleInternal") == _plot.phase_color("Forward")
        True
    """
    return next((PHASES[start] for start in PHASES if name.startswith(start)), OTHER)


def resource_color(resource: str) -> str:
    """Returns the color of a resource: cpu, gpu, memory, io or network.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _plot
        >>> _plot.resource_color("cpu")
        '#56b4e9'
    """
    return RESOURCES.get(resource, OTHER)


class Source:
    """The data of one panel: `data` has an array or a list per column.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _plot
        >>> _plot.Source(x=np.array([1.0])).data["x"].tolist()
        [1.0]
    """

    def __init__(self, **data: Any) -> None:  # noqa: ANN401 - arrays and lists
        """Stores the columns by name."""
        self.data = data

    def __repr__(self) -> str:
        """Returns the names of the columns and their lengths."""
        return f"Source({', '.join(f'{name}: {len(column)}' for name, column in self.data.items())})"


class Panel(NamedTuple):
    """One pair of axes with its traces, without its position in the figure."""

    label: str
    """Text above the panel; it can have two lines."""
    traces: list[dict[str, Any]]
    x: dict[str, Any]
    y: dict[str, Any]


def axis(title: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as Plotly declares
    """Returns an axis in the common style; the title is the unit."""
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
    """Returns a figure of these panels, row by row.

    Args:
        title: Title of the figure.
        notes: Explanations for the reader, in small letters below the title.
        panels: The panels; without panels, the figure has a text that nothing was recorded.
        height: Height of a panel in pixels.
        columns: Number of panels in a row.
        shared: Whether the panels share one x axis, with labels only at the last panel.
        legend: Whether to show a legend of the traces below the panels.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _plot
        >>> line = {"type": "scatter", "x": [0, 1], "y": [2, 3]}
        >>> panel = _plot.Panel("load", [line], _plot.axis("time (s)"), _plot.axis("%"))
        >>> len(_plot.figure("Load", [], [panel, panel], height=100).data)
        2
    """
    go = import_optional("plotly.graph_objects", "smdebug", "draw a chart")
    subtitle = "".join(f'<br><span style="font-size:11px">{escape(note)}</span>' for note in notes)
    lines = max((panel.label.count("\n") + 1 for panel in panels), default=1)
    top = 36 + 18 * len(notes) + 15 * lines
    between, last = 15 * lines + (19 if shared else 60), 100 if legend else 56
    rows = max(-(-len(panels) // columns), 1)
    inner = rows * height + (rows - 1) * between
    layout: dict[str, Any] = {
        "title": {
            "text": f"<b>{escape(title)}</b>{subtitle}",
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
        is_last = place + columns >= len(panels)
        ticks = is_last or not shared
        layout[f"xaxis{number}"] = {
            **panel.x,
            **({} if ticks else {"title": {"text": ""}}),
            **({"matches": "x"} if shared and place else {}),
            "anchor": f"y{number}",
            "domain": [left, min(left + width, 1)],
            "showticklabels": ticks,
        }
        lower = max(upper - height / inner, 0)
        hidden_title = {"title": {"text": ""}} if column else {}  # only the first panel of a row has a title
        layout[f"yaxis{number}"] = {**panel.y, **hidden_title, "anchor": f"x{number}", "domain": [lower, upper]}
        if panel.label:
            label = escape(panel.label).replace("\n", "<br>")
            text = {"text": label, "showarrow": False, "font": {"size": 11, "color": INK}, "align": "left"}
            position = {"xref": "paper", "x": left, "xanchor": "left", "yref": "paper", "y": upper, "yanchor": "bottom"}
            layout["annotations"].append({**text, **position})
        traces += [{**trace, "xaxis": f"x{number}", "yaxis": f"y{number}"} for trace in panel.traces]
    if not panels:
        hidden = {"visible": False}
        text = {"text": "<b>nothing was recorded that could be drawn here</b>", "showarrow": False}
        position = {"xref": "paper", "x": 0.5, "yref": "paper", "y": 0.5, "font": {"size": 14, "color": INK}}
        layout |= {"xaxis": hidden, "yaxis": hidden, "annotations": [{**text, **position}]}
    return go.Figure(data=traces, layout=layout)


class Chart:
    """A figure in a notebook, which can be redrawn in the same output.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _plot
        >>> chart = _plot.Chart()
        >>> chart.draw("Load", [], [], height=100)
        >>> chart.figure.layout.title.text
        '<b>Load</b>'
    """

    figure: go.Figure
    target: NotebookOutput | None = None
    """The notebook output that shows the figure; None outside of a notebook."""

    def draw(self, title: str, notes: Sequence[str], panels: Sequence[Panel], **look: Any) -> None:  # noqa: ANN401 - the arguments of `figure`
        """Draws the figure, and shows it in place of the previous one."""
        self.figure = figure(title, notes, panels, **look)
        self.target = show(self.figure, self.target)


def thin(values: np.ndarray, limit: int) -> np.ndarray:
    """Returns the indices of about `limit` values that draw the same line: minimum and maximum of each segment.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _plot
        >>> values = np.zeros(100_000)
        >>> values[70_123] = 1
        >>> indices = _plot.thin(values, 1000)
        >>> len(indices) <= 1002, 70_123 in indices
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
    lowest, highest = low.reshape(rows, step).argmin(1), high.reshape(rows, step).argmax(1)
    return np.unique(np.concatenate([[0], starts + lowest, starts + highest, [len(values) - 1]]))
