"""Options for the display of results."""

from __future__ import annotations

import sys
from typing import Any

from tracelake.errors import ArgumentError

__all__ = ["Options", "notebook", "options"]

ZONES = ("UTC", "local")


class Options:
    """Display options of the whole process. They do not change computed or exported data.

    Attributes:
        wide: Whether a frame shows all columns. By default, ids that are the same in all rows are in the line below the
            table, and a terminal gets only the columns that fit.

    Example:
        >>> tl.options
        Options(time_zone='UTC', wide=False)
    """

    def __init__(self) -> None:
        """Sets the defaults."""
        self._time_zone = "UTC"
        self.wide: bool = False

    def __repr__(self) -> str:
        """Returns the options with their values."""
        return f"Options(time_zone={self._time_zone!r}, wide={self.wide!r})"

    @property
    def time_zone(self) -> str:
        """The time zone of displayed frames: `UTC`, or `local`, the time zone of this machine.

        Raises:
            ArgumentError: It is set to another value.

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
        """True if times are shown in the time zone of this machine.

        Example:
            >>> tl.options.is_local
            False
        """
        return self._time_zone == "local"


options = Options()


def notebook() -> Any:  # noqa: ANN401 - the module, if it exists
    """Returns the module IPython if this process is the kernel of a notebook, else `None`.

    Example:
        >>> tl.display.notebook() is None
        True
    """
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return ipython if hasattr(shell, "kernel") else None
