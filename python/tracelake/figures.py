"""Figures: plots of query results, drawn with Plotly, together with the results."""

from __future__ import annotations

import array
import base64
import json
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, overload

from tracelake._tracelake import plot_svg
from tracelake.display import notebook
from tracelake.errors import ArgumentError
from tracelake.frame import Frame
from tracelake.optional import import_optional

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from tracelake import _tracelake

__all__ = ["Figure", "NotebookOutput", "show", "write"]

PLOTLY = "application/vnd.plotly.v1+json"
SVG = "image/svg+xml"
IMAGES = ("png", "svg", "pdf", "jpeg", "jpg", "webp")

_embedded: list[str] = []
"""Names of the embedded figures that this process has shown. Only the first one brings plotly.js, which has 4.7 MB."""


class Figure:
    """A figure; a notebook shows it, with or without network.

    Example:
        >>> figure = s.figure("step_timeline")
        >>> figure.name
        'step_timeline'
        >>> all(len(frame) > 0 for frame in figure.frames)
        True
    """

    __slots__ = ("_embed", "_native")

    def __init__(self, native: _tracelake.Figure, *, embed: bool = False) -> None:
        """Wraps the native figure; users get figures from a session."""
        self._native = native
        self._embed = embed

    def __repr__(self) -> str:
        """Returns the name of the figure and the number of rows that it shows."""
        rows = ", ".join(str(len(frame)) for frame in self.frames)
        return f"Figure({self.name!r}, rows: {rows})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        del include, exclude  # the protocol allows to ignore these requests
        bundle = {PLOTLY: json.loads(self._native.notebook_json()), SVG: self._native.svg(), "text/plain": repr(self)}
        if self._embed:
            bundle["text/html"] = self._native.html(library=not _embedded)
            _embedded.append(self.name)
        return bundle

    @property
    def name(self) -> str:
        """Name of the figure, as for `Session.figure`.

        Example:
            >>> s.figure("step_timeline").name
            'step_timeline'
        """
        return self._native.name

    @property
    def frames(self) -> list[Frame]:
        """The data of the figure, one frame per query, in the order of its queries.

        Example:
            >>> s.figure("step_timeline").frames[0].columns[0]
            'run'
        """
        return [Frame(frame) for frame in self._native.frames]

    def windows(self) -> list[tuple[int, int]]:
        """Returns start (ns since the Unix epoch) and length (ns) of the time window of each panel.

        Only figures with axes that count from the start of a window have windows: `trace_timeline`.

        Example:
            >>> s.figure("step_timeline").windows()
            []
        """
        return self._native.windows()

    def to_json(self) -> str:
        """Returns the figure as Plotly JSON.

        Example:
            >>> import json
            >>> sorted(json.loads(s.figure("step_timeline").to_json()))[:2]
            ['config', 'data']
        """
        return self._native.json()

    def to_plotly(self) -> go.Figure:
        """Returns the figure as a Plotly object for Python, which can be changed. Needs plotly.

        Example:
            >>> s.figure("step_timeline").to_plotly().update_layout(height=300).layout.height
            300
        """
        graph_objects = import_optional("plotly.graph_objects", "plotly", "make a Plotly figure")
        parts = json.loads(self.to_json())
        return graph_objects.Figure(data=parts.get("data"), layout=parts.get("layout"), frames=parts.get("frames"))

    @overload
    def to_html(self, path: None = None) -> str: ...
    @overload
    def to_html(self, path: str | os.PathLike[str]) -> None: ...
    def to_html(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Writes or returns the figure as a standalone HTML page that works without network.

        Args:
            path: File to write; an existing file is replaced atomically. Without it, the page is returned.

        Example:
            >>> s.figure("step_timeline").to_html().lstrip()[:15].lower()
            '<!doctype html>'
        """
        page = self._native.page()
        if path is None:
            return page
        write(Path(path), page)
        return None

    def save(
        self, path: str | os.PathLike[str], *, width: int = 1200, height: int | None = None, scale: float = 2.0
    ) -> None:
        """Writes the figure to a file; the file extension selects the format.

        Args:
            path: `.html` is a page that works without network, `.json` is Plotly JSON. `.png`, `.svg`, `.pdf`, `.jpeg`
                and `.webp` are images; Chromium or Chrome on this machine renders them. The default browser is the
                first one on the path, and `TRACELAKE_BROWSER` names another one.
            width: Width of an image in pixels.
            height: Height of an image in pixels. The default is the height of the figure.
            scale: Factor of the image's pixels per pixel of width and height; SVG and PDF ignore it.

        Raises:
            ArgumentError: The file extension is unknown, or the browser cannot render an image of this size.
            NotFoundError: The format is an image, and there is no browser.

        Example:
            >>> import pathlib, tempfile
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     s.figure("step_timeline").save(pathlib.Path(folder, "steps.html"))
        """
        extension = Path(path).suffix.lower().removeprefix(".")
        if extension in ("html", "htm"):
            self.to_html(path)
        elif extension == "json":
            write(Path(path), self.to_json())
        elif extension in IMAGES:
            write(Path(path), self._native.picture(extension, width, height, scale))
        else:
            known = ", ".join(f".{extension}" for extension in ("html", "json", *IMAGES))
            text = f"cannot save a figure as `{Path(path).name}`: the name must end in one of {known}"
            raise ArgumentError(text)


class NotebookOutput:
    """A notebook output that shows a figure until the next figure replaces it.

    Example:
        >>> tl.figures.NotebookOutput(None, {"data": []}).plot
        {'data': []}
    """

    __slots__ = ("handle", "plot")

    def __init__(self, handle: Any, plot: Any) -> None:  # noqa: ANN401 - the handle is IPython's
        """Stores the handle of the output, and its current figure as Plotly JSON."""
        self.handle = handle
        self.plot = plot


def show(figure: Any, output: NotebookOutput | None = None) -> NotebookOutput | None:  # noqa: ANN401 - ours or Plotly's
    """Shows a figure in a notebook, in place of an earlier figure; outside of a notebook, it does nothing.

    An unchanged plot is not drawn again, so that the user's zoom stays.

    Args:
        figure: A figure of tracelake or Plotly.
        output: The return value of the call for the earlier figure; None for a new output.

    Returns:
        The output of the figure, for the next call; None outside of a notebook.

    Example:
        >>> tl.figures.show(s.figure("step_timeline")) is None
        True
    """
    ipython = notebook()
    if ipython is None:
        return None
    bundle = figure._repr_mimebundle_()  # `display(figure)` gives no handle
    plot = bundle.get(PLOTLY)
    if SVG not in bundle and plot:  # a figure of Plotly
        bundle = {**bundle, SVG: plot_svg(json.dumps(_with_lists(plot)))}
    if output is None:
        return NotebookOutput(ipython.display.display(bundle, raw=True, display_id=True), plot)
    if plot is None or plot != output.plot:
        # Plotly's JupyterLab extension ignores an update of a plot, so an empty block replaces the plot first. It has
        # the same height, so that the page does not jump.
        height = plot["layout"].get("height", 450) if plot else 450
        try:
            output.handle.update({"text/html": f'<div style="height:{height}px"></div>'}, raw=True)
        finally:
            output.handle.update(bundle, raw=True)
        output.plot = plot
    return output


def _with_lists(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Returns Plotly JSON with lists in place of arrays in base64."""
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        if "bdata" in fields:
            kinds = {"f8": "d", "f4": "f", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I"}
            values = array.array(kinds[fields["dtype"]], base64.b64decode(fields["bdata"]))
            numbers: list[Any] = [None if value != value else value for value in values]  # noqa: PLR0124 - NaN
            columns = int(fields.get("shape", "0").split(",")[-1])
            if "," not in fields.get("shape", ""):
                return numbers
            return [numbers[start : start + columns] for start in range(0, len(numbers), columns)]
        return {key: _with_lists(item) for key, item in fields.items()}
    if isinstance(value, list):
        return [_with_lists(item) for item in cast("list[Any]", value)]
    return value


def write(path: Path, content: str | bytes) -> None:
    """Writes a file atomically: readers never see an incomplete file.

    Example:
        >>> path = getfixture("tmp_path") / "page.html"
        >>> tl.figures.write(path, "page")
        >>> path.read_text()
        'page'
    """
    # A symbolic link remains a link. A pipe or a terminal cannot be replaced, so it is written directly.
    path = Path(os.path.realpath(path))
    data = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    partial = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    except OSError as error:
        error.filename, error.filename2 = os.fspath(path), None
        raise
    finally:
        partial.unlink(missing_ok=True)
