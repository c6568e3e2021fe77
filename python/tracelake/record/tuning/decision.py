"""The decision tree of PyTorch's data-loading tutorial, with the path of a measurement marked."""

from __future__ import annotations

from tracelake.record.loader.times import LOAD_HIGH

__all__ = ["UTILIZATION_HIGH", "UTILIZATION_LOW", "decision_tree"]

UTILIZATION_LOW, UTILIZATION_HIGH = 50.0, 80.0
"""GPU utilization in percent: low below the first limit, on target above the second."""


Holds = bool | None
"""Whether a condition is true; `None` if unknown."""


def decision_tree(gpu_utilization: float | None, load_ratio: float | None, *, timeouts: Holds, growing: Holds) -> str:
    """Returns the tree as text: `>` marks the path, `?` a question without data and the lines that depend on it.

    The tutorial's tree has no numbers, so the limits come from its other tables: utilization is low below 50 %, good
    above 80 %, and undecided between them. Without utilization, the second question is still evaluated. Query
    `job.decision_tree` does the same for recorded runs, in the same words.

    Args:
        gpu_utilization: Percent; `None` if it was not measured.
        load_ratio: Share of loading, 0 to 1; `None` if it is not known.
        timeouts: Whether workers timed out; `None` if unknown.
        growing: Whether memory grows; `None` if unknown.

    Example:
        >>> from tracelake.record.tuning.decision import decision_tree
        >>> print(decision_tree(40.0, 0.5, timeouts=False, growing=False).splitlines()[1])
        >    yes: is loading time high? (50.0 % of the time)
    """
    low = None
    seen = share = unmeasured = "not enough data: not measured"
    if gpu_utilization is not None:
        seen = f"{gpu_utilization:.1f} %"
        if gpu_utilization < UTILIZATION_LOW:
            low = True
        elif gpu_utilization > UTILIZATION_HIGH:
            low = False
        else:
            seen += f": the tree says nothing between {UTILIZATION_LOW} and {UTILIZATION_HIGH} %"
    slow = None if load_ratio is None else load_ratio > LOAD_HIGH
    if load_ratio is not None:
        share = f"{100 * load_ratio:.1f} % of the time"
    # without utilization, the second question is still evaluated
    input_bound = _both(True if gpu_utilization is None else low, slow)
    lines: list[tuple[Holds, int, str, str | None]] = [
        (_answered(low), 0, "GPU utilization low?", seen),
        (_both(low, _answered(slow)), 1, "yes: is loading time high?", share),
        (input_bound, 2, "yes: more workers; still slow: optimize the item function", None),
        (_both(low, _not(slow)), 2, "no: look at model and optimizer", None),
        (_not(low), 1, "no: balanced", None),
        (_answered(timeouts), 0, "workers timing out?", unmeasured if timeouts is None else None),
        (timeouts, 1, "yes: fewer workers; still: debug the item function with 0 workers", None),
        (_not(timeouts), 1, "no", None),
        (_answered(growing), 0, "memory growing?", unmeasured if growing is None else None),
        (growing, 1, "yes: persistent_workers=False; still: a leak in the item function", None),
        (_not(growing), 1, "no", None),
    ]
    return "\n".join(
        f"{MARKS[holds]} {'   ' * depth}{text}{'' if by is None else f' ({by})'}" for holds, depth, text, by in lines
    )


MARKS: dict[Holds, str] = {True: ">", False: " ", None: "?"}


def _answered(holds: Holds) -> Holds:
    return None if holds is None else True


def _not(holds: Holds) -> Holds:
    return None if holds is None else not holds


def _both(a: Holds, b: Holds) -> Holds:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True
