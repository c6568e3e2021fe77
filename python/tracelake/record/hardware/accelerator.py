"""Synchronizes with an accelerator, which works asynchronously to the host."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tracelake.record import argument

if TYPE_CHECKING:
    from collections.abc import Callable


def synchronizer(option: bool | Callable[[], object]) -> Callable[[], object] | None:
    """Returns the function that waits for the accelerator, or `None` if there is nothing to wait for.

    Example:
        >>> from tracelake.record.hardware.accelerator import synchronizer
        >>> synchronizer(False) is None
        True
    """
    argument.check_flag_or_function(option, "synchronize")
    if callable(option):
        return option
    device = _device() if option else None
    return None if device is None else device.synchronize


def is_available() -> bool | None:
    """Returns whether PyTorch has an accelerator; `None` if the program has not imported PyTorch.

    Example:
        >>> from tracelake.record.hardware.accelerator import is_available
        >>> is_available() in {None, True, False}
        True
    """
    return None if "torch" not in sys.modules else _device() is not None


def _device() -> Any:  # noqa: ANN401 - a module of PyTorch
    torch: Any = sys.modules.get("torch")
    devices = (getattr(torch, device, None) for device in ("cuda", "xpu", "mps"))
    return next((device for device in devices if device is not None and device.is_available()), None)
