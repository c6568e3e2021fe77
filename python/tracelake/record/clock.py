"""Timestamps that never jump: the Unix time is read once, and the monotonic clock is added to it."""

from __future__ import annotations

import time

now = time.monotonic_ns
"""The monotonic clock in ns, used for durations and timestamps."""

_monotonic = now()
BASE = time.time_ns() - _monotonic
"""Unix time minus the monotonic clock, in ns. A forked process inherits the value, so both processes' times agree."""


def unix(timestamp: int) -> int:
    """Returns the Unix time in ns of a timestamp of the monotonic clock.

    Example:
        >>> from tracelake.record import clock
        >>> time.gmtime(clock.unix(clock.now()) / 1e9).tm_year == time.gmtime().tm_year
        True
    """
    return BASE + timestamp
