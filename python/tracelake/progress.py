"""Reports the progress of an ingest: one line on a terminal, a bar in a notebook, and nothing elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias

from tracelake.display import notebook
from tracelake.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

__all__ = ["Bar", "Line", "Progress", "reporter"]

Progress: TypeAlias = "Callable[[int, int, int, int], object] | bool | None"
"""A function of objects read, objects to read, bytes read and bytes to read; `True` for a line on stderr; `False` for
no output; `None` for the line on a terminal, a bar in a notebook, and no output elsewhere."""

WIDTH = 24
PAUSE = 0.1  # seconds between two updates of the line
PATIENCE = 1.0  # seconds before a notebook shows a bar


@contextmanager
def reporter(progress: Progress) -> Generator[Callable[[int, int, int, int], object] | None]:
    """Yields the function to call with the progress of an ingest, or `None` for no output.

    Example:
        >>> with tl.progress.reporter(None) as report:
        ...     report is None  # stderr is not a terminal here
        True
    """
    display: Bar | Line | None = None
    if progress is None and (ipython := notebook()) is not None:
        display = Bar(ipython.display.display)
    elif progress is True or (progress is None and _is_terminal(sys.stderr)):
        display = Line(sys.stderr)
    elif not callable(progress) and progress not in (None, False):
        text = f"cannot use {progress!r} as `progress`: expected a function, True, False or None"
        raise ArgumentError(text)
    try:
        yield progress if callable(progress) else display
    finally:
        if display is not None:
            display.end()


def _is_terminal(out: Any) -> bool:  # noqa: ANN401 - any replacement of stderr
    return out is not None and not out.closed and out.isatty()


class Line:
    r"""Shows the total size and the progress of an ingest on one line, which it overwrites.

    Example:
        >>> import io
        >>> out = io.StringIO()
        >>> line = tl.progress.Line(out)
        >>> line(0, 3, 0, 4_200_000), line(3, 3, 4_200_000, 4_200_000), line.end()
        (None, None, None)
        >>> out.getvalue().split("\r")[1].rstrip()
        'reading 3 objects, 4.2 MB [........................] 0 of 3'
        >>> out.getvalue().split("\r")[-1].split()
        ['read', '3', 'objects,', '4.2', 'MB']
    """

    def __init__(self, out: TextIO) -> None:
        """Writes to `out`, from the first call on."""
        self._out = out
        self._lock = threading.Lock()
        self._next = 0.0
        self._open = False
        self._longest = 0

    def __call__(self, objects_done: int, objects: int, bytes_done: int, size: int) -> None:
        """Shows this state; called from several threads."""
        is_done = objects_done >= objects
        with self._lock:
            if not is_done and time.monotonic() < self._next:
                return
            self._next = time.monotonic() + PAUSE
            what = f"{objects} object{'' if objects == 1 else 's'}, {_size(size)}"
            if is_done:
                self._write(f"read {what}")
                self._finish()
            else:
                filled = WIDTH * bytes_done // size if size else 0
                self._write(f"reading {what} [{'#' * filled:.<{WIDTH}}] {objects_done} of {objects}")

    def end(self) -> None:
        """Ends the line, if the ingest stopped early."""
        with self._lock:
            self._finish()

    def _write(self, text: str) -> None:
        self._longest = max(self._longest, len(text))
        self._out.write(f"\r{text:<{self._longest}}")
        self._out.flush()
        self._open = True

    def _finish(self) -> None:
        if self._open:
            self._out.write("\n")
            self._out.flush()
        self._open = False
        self._next = 0.0


class Bar:
    """A progress bar below a notebook cell, redrawn in place; an ingest of less than a second shows no bar.

    Example:
        >>> bar = tl.progress.Bar(lambda *_, **__: print("shown"))
        >>> bar(1, 3, 1, 3), bar(3, 3, 3, 3), bar.end()
        (None, None, None)
    """

    def __init__(self, display: Callable[..., Any]) -> None:
        """Displays the bar with IPython's `display`."""
        self._display = display
        self._lock = threading.Lock()
        self._start: float | None = None
        self._next = 0.0
        self._handle: Any = None
        self._state = (0, 0, 0, 0)

    def __call__(self, objects_done: int, objects: int, bytes_done: int, size: int) -> None:
        """Shows this state; called from several threads."""
        with self._lock:
            now = time.monotonic()
            if self._start is None:
                self._start, self._next = now, now + PATIENCE
            self._state = (objects_done, objects, bytes_done, size)
            if now >= self._next:
                self._next = now + 2 * PAUSE
                self._show("reading")

    def end(self) -> None:
        """Replaces the bar with a summary line, if a bar was shown."""
        with self._lock:
            if self._handle is not None:
                self._show("read" if self._state[0] >= self._state[1] else "stopped reading")

    def _show(self, action: str) -> None:
        objects_done, objects, bytes_done, size = self._state
        text = f"{action} {objects} object{'' if objects == 1 else 's'}, {_size(size)}"
        seconds = time.monotonic() - (self._start or 0.0)
        text += f", {objects_done} done, {seconds:.0f} s" if action != "read" else f" in {seconds:.0f} s"
        bar = f'<progress value="{bytes_done}" max="{max(size, 1)}"></progress> ' if action == "reading" else ""
        bundle = {"text/plain": text, "text/html": f"{bar}<small>{text}</small>"}
        if self._handle is None:
            self._handle = self._display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)


def _size(size: int) -> str:
    """Returns the size in the unit that fits.

    Example:
        >>> [tl.progress._size(size) for size in (0, 999, 1000, 4_240_000, 3 * 10**12)]
        ['0 B', '999 B', '1.0 kB', '4.2 MB', '3000.0 GB']
    """
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} B"
