"""Report pages: each is one HTML file that needs no network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tracelake.errors import ArgumentError
from tracelake.figures import write

if TYPE_CHECKING:
    import os

    from tracelake import _tracelake

__all__ = ["Report"]


class Report:
    """A report page about a run, a comparison or a lake; a notebook shows it in a frame.

    Example:
        >>> report = s.report()
        >>> report.title
        'first_look'
    """

    __slots__ = ("_native",)

    def __init__(self, native: _tracelake.Report) -> None:
        """Wraps the native report; users get reports from `Session.report`."""
        self._native = native

    def __repr__(self) -> str:
        """Returns the title of the page and its size."""
        return self._native.text()

    def _repr_html_(self) -> str:
        return self._native.block()

    @property
    def title(self) -> str:
        """The title of the page: the run, the comparison or the lake.

        Example:
            >>> s.report("first_look", "first_look").title
            'first_look → first_look'
        """
        return self._native.title

    @property
    def html(self) -> str:
        """The page as HTML text, about 5 MB.

        Example:
            >>> s.report().html.lstrip()[:15].lower()
            '<!doctype html>'
        """
        return self._native.html()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file; an existing file is replaced atomically.

        Args:
            path: Name of the file; it must end in `.html`.

        Raises:
            ArgumentError: The name has another extension.

        Example:
            >>> path = getfixture("tmp_path") / "page.html"
            >>> s.report().save(path)
            >>> path.stat().st_size < 8_000_000
            True
        """
        if Path(path).suffix.lower() not in (".html", ".htm"):
            text = f"cannot save a report as `{Path(path).name}`: the name must end in .html"
            raise ArgumentError(text)
        write(Path(path), self.html)
