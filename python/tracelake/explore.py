"""A figure that reloads the time window after the user zooms or pans."""

from __future__ import annotations

import json
import threading
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracelake import _tracelake
from tracelake.errors import ArgumentError, NotFoundError
from tracelake.frame import text_rows
from tracelake.instant import Moment, nanoseconds
from tracelake.optional import import_optional

if TYPE_CHECKING:
    from tracelake.figures import Figure
    from tracelake.session import Run, Session

__all__ = ["Explorer", "explorable"]

PAGE = Path(__file__).with_name("explore.js")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
MIN_EPOCH_TIME = 10**18
"""Earlier times, in ns, count from the first event of a recording without an epoch."""


def explorable(session: Session) -> list[str]:
    """Returns the names of the figures that can be explored: their first query has a time window.

    Example:
        >>> {"trace_timeline", "utilization_timeline"} <= set(tl.explore.explorable(s))
        True
    """
    queries = {query["name"]: {param["name"] for param in query["params"]} for query in _tracelake.help_queries()}
    rows = text_rows(session.sql("select name, queries from help_figures"))
    return [row["name"] for row in rows if {"start", "end"} <= queries.get(row["queries"].split(", ")[0], set())]


class Explorer:
    """A notebook figure that reloads the visible time window in full detail when the user zooms or pans.

    A double click shows the full range again. The latest zoom wins, and errors appear below the figure. `widget` is the
    anywidget on the page; it can be placed in layouts of ipywidgets.

    Example:
        >>> explorer = s.explore("utilization_timeline")
        >>> explorer.zoom("2020-09-13T12:31:00", "2020-09-13T12:31:20")
        >>> [len(frame) for frame in explorer.figure.frames][0] > 0
        True
    """

    def __init__(self, session: Session, name: str, run: Run, params: dict[str, Any]) -> None:
        """Loads the full range; users call `Session.explore`."""
        page = _page()
        self._session, self._name, self._run, self._params = session, name, run, params
        self._figure, self._window = session.figure(name, run=run, **params), None
        names = explorable(session)
        if name not in names:
            text = f"cannot explore {name}: it has no time window; figures with one: {', '.join(names)}"
            raise ArgumentError(text)
        self._lock = threading.Lock()
        self._request: dict[str, Any] | None = None
        self._is_running = False
        self.widget: Any = page(shown=self._page_state(0))
        self.widget.observe(self._handle_request, "request")

    def __repr__(self) -> str:
        """Returns the name of the figure, and the window that it shows."""
        window = "the whole" if self._window is None else " to ".join(_format_time(end) for end in self._window)
        return f"Explorer({self._name!r}, {window})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        del include, exclude  # the protocol allows to ignore these requests
        data, _ = self.widget._repr_mimebundle_()
        # Without a running kernel, the page shows the current figure.
        bundle = self._figure._repr_mimebundle_()  # pyright: ignore[reportPrivateUsage]
        return {**bundle, **data, "text/plain": repr(self)}

    @property
    def figure(self) -> Figure:
        """The figure that is currently shown; its frames hold the numbers of the window.

        Example:
            >>> s.explore("step_timeline").figure.name
            'step_timeline'
        """
        return self._figure

    @property
    def window(self) -> tuple[int, int] | None:
        """Start and end of the visible window, in ns since the Unix epoch; None for the full range.

        Example:
            >>> s.explore("step_timeline").window is None
            True
        """
        return self._window

    def zoom(self, start: Moment | None = None, end: Moment | None = None) -> None:
        """Shows this window, as if the user had zoomed there; without arguments, the full range.

        Args:
            start: Start of the window (inclusive): ISO 8601 text, a datetime, a pandas Timestamp, or ns since the Unix
                epoch. A time without a time zone is UTC.
            end: End of the window (exclusive).

        Raises:
            ArgumentError: Only one of the two is given, or the end is not after the start.
            NotFoundError: There is no data in the window; the figure does not change.

        Example:
            >>> explorer = s.explore("step_timeline")
            >>> explorer.zoom("2020-09-13T12:31:00", "2020-09-13T12:31:20")
            >>> explorer
            Explorer('step_timeline', 2020-09-13 12:31:00.000000000 to 2020-09-13 12:31:20.000000000)
        """
        if (start is None) != (end is None):
            text = "cannot zoom: a window needs a start and an end"
            raise ArgumentError(text)
        window = None if start is None or end is None else (nanoseconds(start), nanoseconds(end))
        self._figure, self._window = self._load_figure(window), window
        self.widget.shown = self._page_state(self.widget.request["number"])

    def _load_figure(self, window: tuple[int, int] | None) -> Figure:
        """Returns the figure of a window."""
        if window is None:
            return self._session.figure(self._name, run=self._run, **self._params)
        start, end = window
        if end <= start:
            text = f"cannot zoom: the end, {_format_time(end)}, is not after the start, {_format_time(start)}"
            raise ArgumentError(text)
        params: dict[str, Any] = {**self._params, "start": start, "end": end}
        figure = self._session.figure(self._name, run=self._run, **params)
        if not json.loads(figure.to_json())["data"]:
            zone = "" if start < MIN_EPOCH_TIME else " UTC"
            text = f"nothing is recorded from {_format_time(start)} to {_format_time(end)}{zone}"
            raise NotFoundError(text)
        return figure

    def _page_state(self, number: int, problem: str = "") -> dict[str, Any]:
        """Returns the state of the page: the plot, the time scale of its axes, the request number and an error text."""
        plot = json.loads(self._figure.to_json())
        since = iter(self._figure.windows())
        times: dict[str, list[Any]] = {}
        for name, axis in plot["layout"].items():
            if name.startswith("yaxis"):
                axis["fixedrange"] = True  # the user zooms only the time axis
            elif not name.startswith("xaxis"):
                continue
            elif axis.get("type") == "date":
                if self._window is not None:
                    axis["range"] = [_format_time(end) for end in self._window]
            elif axis.get("type") == "linear" and axis["title"]["text"].startswith("time since the first event"):
                times[name] = ["0", 1e6]
                if self._window is not None:
                    axis["range"] = [end / 1e6 for end in self._window]
            elif window := next(since, None):
                # JavaScript numbers cannot hold ns since the Unix epoch exactly.
                begin, length = window
                times[name] = [str(begin), length / axis["range"][1]]
        return {"plot": json.dumps(plot), "times": times, "number": number, "problem": problem}

    def _handle_request(self, change: dict[str, Any]) -> None:
        """Handles a zoom or pan: runs the queries in a thread, so that cells and the page stay responsive."""
        with self._lock:
            self._request = change["new"]
            if self._is_running:
                return
            self._is_running = True
        threading.Thread(target=self._run_requests, daemon=True).start()

    def _run_requests(self) -> None:
        """Runs requests until there are no more; of several waiting requests, only the last."""
        while True:
            with self._lock:
                request, self._request = self._request, None
                self._is_running = request is not None
            if request is None:
                return
            problem = ""
            try:
                window = _window(request)
                figure = self._load_figure(window)
            except Exception as error:  # noqa: BLE001 - the page shows every error to the user
                problem = str(error) or repr(error)
            else:
                if self._request is not None:
                    continue
                self._figure, self._window = figure, window
            self.widget.shown = self._page_state(request["number"], problem)


def _window(request: dict[str, Any]) -> tuple[int, int] | None:
    """Returns the window that the page requests, from a range of its axis and the time scale of the axis.

    Example:
        >>> tl.explore._window({"range": [-0.5, 1.25], "time": ["1600000000000000000", 1e6]})
        (1599999999999500000, 1600000000001250000)
        >>> tl.explore._window({"range": ["2020-09-13 12:31", "2020-09-13 12:31:20.5"], "time": None})
        (1600000260000000000, 1600000280500000000)
    """
    if request["range"] is None:
        return None
    if request["time"] is None:
        start, end = (nanoseconds(moment) for moment in request["range"])
    else:
        begin, unit = request["time"]
        start, end = (int(begin) + round(value * unit) for value in request["range"])
    return start, end


@cache
def _page() -> Any:  # noqa: ANN401 - classes of optional libraries
    """Returns the widget class of an explorer; it is made on first use."""
    anywidget = import_optional("anywidget", "notebook", "explore a figure")
    traitlets = import_optional("traitlets", "notebook", "explore a figure")

    def shared(kind: Any) -> Any:  # noqa: ANN401 - the same
        return kind.tag(sync=True)

    class Library(anywidget.AnyWidget):
        """plotly.js, once for all explorers of a process."""

        _esm = "export default {}"
        text = shared(traitlets.Unicode())

    plotly = Library(text=_tracelake.plotly_js())

    class Page(anywidget.AnyWidget):
        """A figure on the page, and the window that the user requests."""

        _esm = PAGE.read_text(encoding="utf-8")
        library = shared(traitlets.Unicode(f"IPY_MODEL_{plotly.model_id}"))
        shown = shared(traitlets.Dict())
        request = shared(traitlets.Dict({"number": 0, "range": None, "time": None}))

    return Page


def _format_time(ns: int) -> str:
    """Returns the time in Plotly's format, exact to the ns.

    Example:
        >>> tl.explore._format_time(1_600_000_260_000_000_001)
        '2020-09-13 12:31:00.000000001'
        >>> tl.explore._format_time(12_300_000)
        '+12.3 ms'
    """
    if ns < MIN_EPOCH_TIME:
        return f"{ns / 1e6:+.9g} ms"
    seconds, rest = divmod(ns, 10**9)
    return f"{EPOCH + timedelta(seconds=seconds):%Y-%m-%d %H:%M:%S}.{rest:09d}"
