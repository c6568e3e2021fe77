"""Memory that was freed, back to the system."""

from __future__ import annotations

import ctypes
import sys

__all__ = ["give_back"]

_trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None


def give_back() -> None:
    """Hands memory that was freed back to the system, where the C library is one that keeps it (glibc).

    What threads of the engine freed is of no use to anybody else, and would stand beside the frames that are made next.

    Example:
        >>> from tracelake.smdebug import _memory
        >>> _memory.give_back()
    """
    if _trim is not None:
        _trim(0)
