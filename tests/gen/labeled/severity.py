"""Severities of findings about shares of few steps, from the shares that a generator planted.

A share of fewer than 20 steps is uncertain. If the 95 % interval of E. B. Wilson (JASA 22, 1927) contains the limit of
a finding, its severity is one level lower. Other quantities of so few steps have no interval, so their severity is
notice.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from labeled.case import Planted

MIN_STEPS = 20
MARGIN = 0.01  # distance from a limit below which a severity is not clear
LOWER = {"critical": "warning", "warning": "notice", "notice": "notice"}


def loader(planted: Planted) -> float:
    """Returns the share of waiting for data on the rank that waits most."""
    return planted["rank.loader"]


def communication(planted: Planted) -> float:
    """Returns the share of communication on the rank that communicates most."""
    return planted["rank.communication"]


def idle(planted: Planted) -> float:
    """Returns the share of time without a kernel."""
    return 1 - planted["step.kernel"] - planted["step.communication"]


# The share of each finding, and the limits above which it has a severity. A GPU with low utilization is idle.
SHARES: dict[str, tuple[Callable[[Planted], float], dict[str, float]]] = {
    "load_share_high": (loader, {"critical": 0.3, "warning": 0.2, "notice": 0.05}),
    "no_workers": (loader, {"warning": 0.2}),
    "gpu_starved_by_loader": (idle, {"critical": 0.5}),
    "gpu_low_not_loader": (idle, {"warning": 0.5}),
    "communication_high": (communication, {"warning": 0.2, "notice": 0.1}),
}
WITHOUT_INTERVAL = {"small_kernels": "warning"}


def wilson_interval(share: float, steps: float) -> tuple[float, float]:
    """Returns the ends of the 95 % interval."""
    z = NormalDist().inv_cdf(0.975)
    center = (share + z * z / (2 * steps)) / (1 + z * z / steps)
    half = z / (1 + z * z / steps) * sqrt(share * (1 - share) / steps + z * z / (4 * steps * steps))
    return center - half, center + half


def severity(finding: str, planted: Planted) -> str:
    """Returns the severity of a finding; raises if the planted share or its interval ends near a limit."""
    steps = planted["steps"]
    if finding in WITHOUT_INTERVAL:
        return "notice" if steps < MIN_STEPS else WITHOUT_INTERVAL[finding]
    measure, limits = SHARES[finding]
    share = measure(planted)
    name, limit = next((name, limit) for name, limit in limits.items() if share > limit)
    low, high = wilson_interval(share, steps)
    if min(abs(end - limit) for end in (low, share, high)) < MARGIN:
        raise ValueError(finding, share, low, high)
    return LOWER[name] if steps < MIN_STEPS and low <= limit <= high else name
