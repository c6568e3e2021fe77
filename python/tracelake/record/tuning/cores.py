"""Limits the numbers of workers to the available cores."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def count_cores() -> int:
    """Returns the number of cores that this process may use.

    Example:
        >>> tl.record.tuning.cores.count_cores() >= 1
        True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def limit_to_cores(counts: Iterable[int], notes: list[str]) -> list[int]:
    """Returns the numbers of workers up to the number of cores; a note lists the others.

    Example:
        >>> notes = []
        >>> tl.record.tuning.cores.limit_to_cores([0, 1, 1_000_000], notes), notes[0].split(":")[0]
        ([0, 1], '1000000 workers were not tried')
    """
    limit, requested = count_cores(), list(counts)
    skipped = [str(count) for count in requested if count > limit]
    if skipped:
        notes.append(f"{', '.join(skipped)} workers were not tried: this process may use {limit} cores")
    return [count for count in requested if count <= limit]
