"""The tutorial's decision tree, with the path of a measurement marked."""

from __future__ import annotations

__all__ = ["LOAD_HIGH", "UTILIZATION_HIGH", "UTILIZATION_LOW", "decision_tree"]

LOAD_HIGH = 0.3
"""Share of loading above which loading time is high."""
UTILIZATION_LOW, UTILIZATION_HIGH = 50.0, 80.0
"""GPU utilisation in percent below which it is low, and above which it is what is aimed at."""


def decision_tree(
    gpu_utilization: float | None, load_ratio: float | None, *, timeouts: bool | None, growing: bool | None
) -> str:
    """The tree as text: `>` marks the answers that hold, `?` a question that cannot be answered.

    The tree gives no numbers; those are of the tutorial's other tables: utilisation is low below 50 %, good above 80 %,
    and between them nothing is said. Without utilisation the second question is still answered.

    Args:
        gpu_utilization: Percent; `None` if it was not measured.
        load_ratio: Share of loading, 0 to 1; `None` if it is not known.
        timeouts: Whether workers timed out.
        growing: Whether memory grows.

    Example:
        >>> from tracelake.record.decision import decision_tree
        >>> print(decision_tree(40.0, 0.5, timeouts=False, growing=False).splitlines()[1])
        >    yes: is loading time high? (50% of the time)
    """
    low = high = None
    if gpu_utilization is None:
        seen = "not measured"
    else:
        seen = f"{gpu_utilization:.0f} %"
        low, high = gpu_utilization < UTILIZATION_LOW, gpu_utilization > UTILIZATION_HIGH
    slow = None if load_ratio is None else load_ratio > LOAD_HIGH
    share = "not measured" if load_ratio is None else f"{load_ratio:.0%} of the time"
    # without utilisation the second question is asked all the same
    asked = low is not False
    between = low is False and high is False
    lines = [
        (low is None or between, False, 0, f"GPU utilisation low? ({seen})"),
        (False, bool(low), 1, f"yes: is loading time high? ({share})"),
        (False, asked and slow is True, 2, "yes: more workers; still slow: optimise the item function"),
        (False, asked and slow is False, 2, "no: look at model and optimiser"),
        (False, bool(high), 1, "no: balanced"),
        (timeouts is None, False, 0, "workers timing out?"),
        (False, timeouts is True, 1, "yes: fewer workers; still: debug the item function with 0 workers"),
        (False, timeouts is False, 1, "no"),
        (growing is None, False, 0, "memory growing?"),
        (False, growing is True, 1, "yes: persistent_workers=False; still: a leak in the item function"),
        (False, growing is False, 1, "no"),
    ]
    return "\n".join(
        f"{'?' if unknown else '>' if holds else ' '} {'   ' * depth}{text}" for unknown, holds, depth, text in lines
    )
