"""What tracelake itself does, as a trace that viewers of traces open, and that tracelake ingests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracelake import _tracelake

if TYPE_CHECKING:
    import os
    from types import TracebackType

    from typing_extensions import Self

__all__ = ["OwnProfile"]


class OwnProfile:
    """Writes what tracelake does into a file, while the block runs: Trace Event JSON.

    An event for each opening, listing, file that is read, part that is written, commit, question, figure and request to
    a store: how long it took, on which thread, and paths, questions, rows and bytes as arguments; no keys and no
    contents. ui.perfetto.dev opens the file, and `tracelake.open` reads it as any trace.

    Raises `ConflictError` while another one is written; `NotFoundError`, `DeniedError` or `ExhaustedError` for a file
    that cannot be written.

    Example:
        >>> path = os.path.join(tempfile.mkdtemp(), "own.json")
        >>> with tl.own_profile(path):
        ...     _ = s.sql("select count(*) as n from step").to_arrow()
        >>> own = tl.open(path, ephemeral=True)
        >>> [row["name"] for row in own.sql("select name from event where name = 'answer'").rows()]
        ['answer']
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Begins at once; `end` or the end of a `with` block ends it."""
        self._native = _tracelake.OwnProfile(path)

    def __enter__(self) -> Self:
        """The profile."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Ends the file."""
        self.end()

    def end(self) -> None:
        """Ends the file; the second time nothing happens."""
        self._native.end()
