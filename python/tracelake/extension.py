"""The IPython extension of `%load_ext tracelake`: magics, completion, and tracebacks that end in the user's code.

tracelake does not depend on IPython: IPython passes its shell to `load_ipython_extension`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from tracelake.completion import Completion
from tracelake.errors import TracelakeError
from tracelake.magic import Magic

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["load_ipython_extension", "unload_ipython_extension"]

PACKAGE = str(Path(__file__).parent)


def load_ipython_extension(shell: Any) -> None:  # noqa: ANN401 - IPython's InteractiveShell
    """Called by `%load_ext tracelake`.

    Example:
        >>> tl.load_ipython_extension.__doc__.splitlines()[0]
        'Called by `%load_ext tracelake`.'
    """
    from IPython.core import completer  # noqa: PLC0415 - not a dependency

    ipython: Any = completer

    shell.register_magic_function(Magic(shell).tracelake, magic_kind="line_cell", magic_name="tracelake")
    completion = Completion(shell.user_ns, ipython.SimpleCompletion)

    def tracelake_matcher(context: Any) -> Any:  # noqa: ANN401 - IPython's types
        return completion(context.full_text, context.cursor_line, context.cursor_position)

    _remove_matcher(shell)
    shell.Completer.custom_matchers.append(ipython.context_matcher(identifier="tracelake")(tracelake_matcher))
    shell.set_custom_exc((TracelakeError,), _show_error)


def unload_ipython_extension(shell: Any) -> None:  # noqa: ANN401 - the same
    """Called by `%unload_ext tracelake`.

    Example:
        >>> tl.unload_ipython_extension.__doc__.splitlines()[0]
        'Called by `%unload_ext tracelake`.'
    """
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop("tracelake", None)
    _remove_matcher(shell)
    shell.set_custom_exc((), None)


def _remove_matcher(shell: Any) -> None:  # noqa: ANN401 - the same
    ours = "tracelake_matcher"
    matchers: list[Callable[..., Any]] = shell.Completer.custom_matchers
    matchers[:] = [matcher for matcher in matchers if getattr(matcher, "__name__", "") != ours]


def _show_error(
    shell: Any,  # noqa: ANN401 - the same
    kind: type[BaseException],
    error: BaseException,
    traceback: TracebackType | None,
    tb_offset: int | None = None,
) -> list[str]:
    """Shows tracelake's errors with the lines of the user's code only, since tracelake's own frames do not help."""
    lines = shell.InteractiveTB.structured_traceback(kind, error, _user_frames(traceback), tb_offset=tb_offset)
    shell._showtraceback(kind, error, lines)  # noqa: SLF001 - what a custom handler is meant to call
    return lines


def _user_frames(traceback: TracebackType | None) -> TracebackType | None:
    """Returns the traceback up to the first frame of tracelake, or of IPython after the one that runs the cell."""
    ipython = sys.modules["IPython"].__file__ or ""
    foreign = (PACKAGE, str(Path(ipython).parent))
    frames: list[TracebackType] = []
    while traceback is not None:
        if frames and traceback.tb_frame.f_code.co_filename.startswith(foreign):
            break
        frames.append(traceback)
        traceback = traceback.tb_next
    truncated: TracebackType | None = None
    for frame in reversed(frames):
        truncated = TracebackType(truncated, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return truncated
