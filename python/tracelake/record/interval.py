"""How sure a gain is: the factor between two paces that were measured in turn, with its interval."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Interval", "factor"]

# Student's t for 95 % on both sides, of 1 to 30 degrees of freedom; beyond that the normal distribution is near enough.
_T95 = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)

_LEAST = 1e-9


@dataclass(frozen=True)
class Interval:
    """A factor, and the interval that holds it in 95 of 100 cases."""

    factor: float
    low: float
    high: float

    def __str__(self) -> str:
        """The factor and its interval."""
        return f"{self.factor:.2f}x (95 %: {self.low:.2f} to {self.high:.2f})"


def factor(before: Sequence[float], after: Sequence[float]) -> Interval:
    """How many times as fast `after` is: both are seconds, and those of one index were measured in turn.

    The mean of the logarithms of the quotients, with Student's t: what slows the machine down for a while slows both.

    Raises:
        ValueError: There are fewer than two pairs, or not as many of both.

    Example:
        >>> from tracelake.record.interval import factor
        >>> print(factor([2.0, 2.2, 1.8], [1.0, 1.1, 0.9]))
        2.00x (95 %: 2.00 to 2.00)
    """
    if len(before) != len(after) or len(before) < 2:  # noqa: PLR2004 - a spread takes two
        message = f"cannot compare {len(before)} with {len(after)} times: as many of both, and at least 2"
        raise ValueError(message)
    # a coarse clock may see no time at all
    logs = [math.log(max(old, _LEAST) / max(new, _LEAST)) for old, new in zip(before, after, strict=True)]
    mean, free = statistics.fmean(logs), len(logs) - 1
    t = _T95[free - 1] if free <= len(_T95) else 1.96
    half = t * statistics.stdev(logs) / math.sqrt(len(logs))
    return Interval(math.exp(mean), math.exp(mean - half), math.exp(mean + half))
