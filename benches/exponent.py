"""Growth rates: the exponent `b` of `a * x^b`, fitted by least squares on the logarithms."""

from __future__ import annotations

import math
from statistics import linear_regression
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def exponent(points: Iterable[tuple[float, float]]) -> float | None:
    """The exponent: 1 for linear growth, 0 for a constant. None for fewer than two points."""
    logarithms = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    xs, ys = [x for x, _ in logarithms], [y for _, y in logarithms]
    return linear_regression(xs, ys).slope if len(set(xs)) > 1 else None


def shown(points: Iterable[tuple[float, float]]) -> str:
    """The exponent as text for a table."""
    slope = exponent(points)
    return "" if slope is None else f"{slope:.2f}"
