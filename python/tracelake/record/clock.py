"""Times that do not jump: Unix time read once, and the monotonic clock from then on."""

from __future__ import annotations

import time

__all__ = ["BASE", "now", "unix"]

now = time.monotonic_ns
"""The monotonic clock in ns: what durations and stamps are measured with."""

_monotonic = now()
BASE = time.time_ns() - _monotonic
"""Unix time minus the monotonic clock, in ns. A forked process has that of its parent, so that their times agree."""


def unix(stamp: int) -> int:
    """The Unix time in ns of a stamp of the monotonic clock.

    Example:
        >>> from tracelake.record import clock
        >>> time.gmtime(clock.unix(clock.now()) / 1e9).tm_year == time.gmtime().tm_year
        True
    """
    return BASE + stamp
