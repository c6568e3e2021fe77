"""Returns freed memory to the operating system."""

from __future__ import annotations

import ctypes
import sys

__all__ = ["give_back"]

_trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None


def give_back() -> None:
    """Returns freed memory to the operating system, if the C library holds it back (glibc).

    Other code cannot use the memory that threads of the engine freed, so it would add to the memory of the next frames.

    Example:
        >>> from tracelake.smdebug import _memory
        >>> _memory.give_back()
    """
    if _trim is not None:
        _trim(0)
