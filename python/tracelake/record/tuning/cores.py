"""Limits the numbers of workers to the available cores."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["cores", "within"]


def cores() -> int:
    """Returns the number of cores that this process may use.

    Example:
        >>> tl.record.cores.cores() >= 1
        True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def within(counts: Iterable[int], notes: list[str]) -> list[int]:
    """Returns the numbers of workers up to the number of cores; a note lists the others.

    Example:
        >>> notes = []
        >>> tl.record.cores.within([0, 1, 1_000_000], notes), notes[0].split(":")[0]
        ([0, 1], '1000000 workers were not tried')
    """
    most, wanted = cores(), list(counts)
    over = [str(count) for count in wanted if count > most]
    if over:
        notes.append(f"{', '.join(over)} workers were not tried: this process may use {most} cores")
    return [count for count in wanted if count <= most]
