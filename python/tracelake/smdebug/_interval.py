"""Vectorized joins of intervals with times, and of intervals with enclosing intervals."""

from __future__ import annotations

from itertools import pairwise

from tracelake.smdebug._libraries import NDArray, np


def find_last_containing(times: NDArray, start: NDArray, end: NDArray) -> NDArray:
    """Returns for each time the index of the last interval that contains it, ends included; -1 if there is none.

    Each interval is split into two overlapping runs of times, and the length of a run is a power of two. The last
    interval of each run is then propagated from the longest runs down to single times.

    Args:
        times: Times in ascending order.
        start: Starts of the intervals.
        end: Ends of the intervals; an interval with its end before its start contains no time.

    Example:
        >>> import numpy as np
        >>> from tracelake.smdebug._interval import find_last_containing
        >>> find_last_containing(np.array([0, 5, 10, 15]), np.array([0, 5]), np.array([10, 5])).tolist()
        [0, 1, 0, -1]
    """
    low, high = np.searchsorted(times, start, "left"), np.searchsorted(times, end, "right")
    intervals = np.flatnonzero(low < high)
    low, high = low[intervals], high[intervals]
    level = np.frexp(high - low)[1] - 1  # the largest power of two that is not longer
    runs = np.full((int(level.max(initial=0)) + 1, len(times)), -1)
    np.maximum.at(runs, (level, low), intervals)
    np.maximum.at(runs, (level, high - (1 << level)), intervals)
    for longer in range(len(runs) - 1, 0, -1):
        half = 1 << (longer - 1)
        np.maximum(runs[longer - 1], runs[longer], out=runs[longer - 1])
        np.maximum(runs[longer - 1, half:], runs[longer, :-half], out=runs[longer - 1, half:])
    return runs[0]


def find_enclosing(start: NDArray, end: NDArray, outer_start: NDArray, outer_end: NDArray) -> NDArray:
    """Returns for each interval the index of the first outer interval that encloses it; -1 if there is none.

    An outer interval encloses an inner one if it begins before it and ends after it. The outer intervals are split into
    runs with ascending starts, usually one run. In a run, the candidates are the first few intervals, and a binary
    search in the running maximum of their ends finds the first that ends late enough.

    Example:
        >>> import numpy as np
        >>> from tracelake.smdebug._interval import find_enclosing
        >>> find_enclosing(np.array([1, 12, 30]), np.array([2, 13, 31]), np.array([0, 10]), np.array([5, 20])).tolist()
        [0, 1, -1]
    """
    enclosing = np.full(len(start), -1)
    run_bounds = [0, *(np.flatnonzero(np.diff(outer_start) < 0) + 1).tolist(), len(outer_start)]
    for low, high in pairwise(run_bounds):
        unassigned = np.flatnonzero(enclosing < 0)
        end_of_earlier = np.searchsorted(outer_start[low:high], start[unassigned], "left")
        first_long_enough = np.searchsorted(np.maximum.accumulate(outer_end[low:high]), end[unassigned], "right")
        is_enclosed = first_long_enough < end_of_earlier
        enclosing[unassigned[is_enclosed]] = first_long_enough[is_enclosed] + low
    return enclosing
