"""Waiting for an accelerator, whose work goes on while the host does."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["synchronizer"]


def synchronizer(wanted: bool | Callable[[], object]) -> Callable[[], object] | None:
    """What waits for the accelerator; `None` if nothing is to be waited for.

    Example:
        >>> from tracelake.record.accelerator import synchronizer
        >>> synchronizer(False) is None
        True
    """
    if callable(wanted):
        return wanted
    torch: Any = sys.modules.get("torch")
    if not wanted or torch is None:
        return None
    for device in ("cuda", "xpu", "mps"):
        found = getattr(torch, device, None)
        if found is not None and found.is_available():
            return found.synchronize
    return None
