"""How answers are shown."""

from __future__ import annotations

import sys
from typing import Any

from tracelake.errors import ArgumentError

__all__ = ["Options", "notebook", "options"]

ZONES = ("UTC", "local")


class Options:
    """Options of what is shown, for the whole process; what is computed and exported does not depend on them.

    Example:
        >>> tl.options
        Options(time_zone='UTC')
    """

    def __init__(self) -> None:
        """Everything as it is without a wish of the user's."""
        self._time_zone = "UTC"

    def __repr__(self) -> str:
        """The options with their values."""
        return f"Options(time_zone={self._time_zone!r})"

    @property
    def time_zone(self) -> str:
        """The clock of times in frames that are shown: `UTC`, or `local`, the zone of this machine.

        Raises:
            ArgumentError: It is set to something else.

        Example:
            >>> frame = s.table("step", columns=["ts"])
            >>> tl.options.time_zone = "local"
            >>> repr(frame).splitlines()[-1]
            '50 of 220 rows shown, times in local time'
            >>> tl.options.time_zone = "UTC"
            >>> repr(frame).splitlines()[-1]
            '50 of 220 rows shown, times in UTC'
        """
        return self._time_zone

    @time_zone.setter
    def time_zone(self, zone: str) -> None:
        if zone not in ZONES:
            text = f"cannot use {zone!r} as `time_zone`: expected one of: {', '.join(ZONES)}"
            raise ArgumentError(text)
        self._time_zone = zone

    @property
    def is_local(self) -> bool:
        """Whether times are shown by the clock of this machine.

        Example:
            >>> tl.options.is_local
            False
        """
        return self._time_zone == "local"


options = Options()


def notebook() -> Any:  # noqa: ANN401 - the module, if it is there
    """The module IPython if this process is the kernel of a notebook, else `None`.

    Example:
        >>> tl.display.notebook() is None
        True
    """
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return ipython if hasattr(shell, "kernel") else None
