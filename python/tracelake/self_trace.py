"""Records tracelake's own work as a trace that trace viewers and tracelake can open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracelake import _tracelake

if TYPE_CHECKING:
    import os

    from typing_extensions import Self

__all__ = ["SelfTrace"]


class SelfTrace:
    """Records tracelake's own work into a Trace Event JSON file while the `with` block runs.

    The file has an event for each open, listing, file read, data file write, commit, query, figure and request to an
    object store. An event has its duration and thread; its arguments are paths, queries, rows and bytes. Credentials
    and file contents are not recorded. ui.perfetto.dev opens the file, and `tracelake.open` reads it like any trace.

    Raises `ConflictError` if another `SelfTrace` is active; `NotFoundError`, `DeniedError` or `ExhaustedError` if the
    file cannot be written.

    Example:
        >>> path = os.path.join(tempfile.mkdtemp(), "own.json")
        >>> with tl.self_trace(path):
        ...     _ = s.sql("select count(*) as n from step").to_arrow()
        >>> own = tl.open(path, ephemeral=True)
        >>> [row["name"] for row in own.sql("select name from event where name = 'query'").rows()]
        ['query']
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Starts recording immediately; `end` or the end of a `with` block stops it."""
        self._native = _tracelake.SelfTrace(path)

    def __enter__(self) -> Self:
        """Returns the profile itself."""
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        """Completes the file."""
        self.end()

    def end(self) -> None:
        """Completes the file; a second call does nothing."""
        self._native.end()
