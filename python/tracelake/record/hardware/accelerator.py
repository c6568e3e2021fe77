"""Synchronizes with an accelerator, which works asynchronously to the host."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tracelake.record import argument

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["available", "synchronizer"]


def synchronizer(wanted: bool | Callable[[], object]) -> Callable[[], object] | None:
    """Returns the function that waits for the accelerator, or `None` if there is nothing to wait for.

    Example:
        >>> from tracelake.record.hardware.accelerator import synchronizer
        >>> synchronizer(False) is None
        True
    """
    argument.flag_or_function(wanted, "synchronize")
    if callable(wanted):
        return wanted
    device = _device() if wanted else None
    return None if device is None else device.synchronize


def available() -> bool | None:
    """Returns whether PyTorch has an accelerator; `None` if the program has not imported PyTorch.

    Example:
        >>> from tracelake.record.hardware.accelerator import available
        >>> available() in {None, True, False}
        True
    """
    return None if "torch" not in sys.modules else _device() is not None


def _device() -> Any:  # noqa: ANN401 - a module of PyTorch
    torch: Any = sys.modules.get("torch")
    found = (getattr(torch, device, None) for device in ("cuda", "xpu", "mps"))
    return next((device for device in found if device is not None and device.is_available()), None)
