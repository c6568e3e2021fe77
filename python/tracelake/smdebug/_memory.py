"""Returns freed memory to the operating system."""

from __future__ import annotations

import ctypes
import sys

_malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None


def release_memory() -> None:
    """Returns freed memory to the operating system; without this call, glibc holds it back.

    Only threads of the engine could use that memory again, so the next frames would add to it.

    Example:
        >>> from tracelake.smdebug import _memory
        >>> _memory.release_memory()
    """
    if _malloc_trim is not None:
        _malloc_trim(0)
