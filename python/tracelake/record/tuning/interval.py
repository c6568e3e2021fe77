"""Confidence interval of a speed-up, computed from interleaved measurements."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Student's t, two-sided 95 %, for 1 to 30 degrees of freedom; above 30, the normal distribution is close enough.
_T95 = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)

_MIN_SECONDS = 1e-9


@dataclass(frozen=True)
class Interval:
    """A factor, and its 95 % confidence interval."""

    factor: float
    low: float
    high: float

    def __str__(self) -> str:
        """Returns the factor and its interval as text."""
        return f"{self.factor:.2f}x (95 %: {self.low:.2f} to {self.high:.2f})"


def estimate_speedup(before: Sequence[float], after: Sequence[float]) -> Interval:
    """Returns the speed-up of `after` over `before`; both are seconds, and equal indices were measured interleaved.

    It is the mean of the logarithms of the ratios, with Student's t. A temporary slowdown of the machine affects both
    values of a pair.

    Raises:
        ValueError: There are fewer than two pairs, or the lengths differ.

    Example:
        >>> from tracelake.record.tuning.interval import estimate_speedup
        >>> print(estimate_speedup([2.0, 2.2, 1.8], [1.0, 1.1, 0.9]))
        2.00x (95 %: 2.00 to 2.00)
    """
    if len(before) != len(after) or len(before) < 2:  # noqa: PLR2004 - a spread takes two
        message = f"cannot compare {len(before)} with {len(after)} times: expected the same number of both, at least 2"
        raise ValueError(message)
    # a coarse clock can measure 0
    logs = [math.log(max(old, _MIN_SECONDS) / max(new, _MIN_SECONDS)) for old, new in zip(before, after, strict=True)]
    mean, degrees = statistics.fmean(logs), len(logs) - 1
    t = _T95[degrees - 1] if degrees <= len(_T95) else 1.96
    half_width = t * statistics.stdev(logs) / math.sqrt(len(logs))
    return Interval(math.exp(mean), math.exp(mean - half_width), math.exp(mean + half_width))
